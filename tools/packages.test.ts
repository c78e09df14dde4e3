/** The package.json files: no installation fetches a package of another owner. */
import { globSync, readFileSync } from 'node:fs';
import { expectEqual } from '../test/support/jest/expectEqual.ts';

type Versions = Readonly<Record<string, string>>;

interface Package {
  readonly name: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
}

const packages = globSync([
  'package.json',
  'functions/package.json',
  'packages/*/package.json',
]).map((path) => ({ path, content: JSON.parse(readFileSync(path, 'utf8')) as Package }));
const ownNames = packages.map(({ content }) => content.name);

test.each(packages)(
  '$path refers to packages of this repository by path, and to others by version',
  ({ path, content }) => {
    const { dependencies, devDependencies, peerDependencies } = content;
    const versions = { ...peerDependencies, ...devDependencies, ...dependencies };
    const invalid = Object.entries(versions).filter(([name, version]) =>
      ownNames.includes(name) || name.startsWith('@tattoo-marketplace/')
        ? !version.startsWith('file:')
        : !/\d/.test(version),
    );

    // A registry may have packages of other people under our names.
    const rule = `Dependencies of ${path} that need file:FOLDER, or a version instead of *`;
    expectEqual(rule, invalid, []);
  },
);
