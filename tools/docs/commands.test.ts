/** Every command in a document is in the list of how it is tried, and can be run. */
import { existsSync, readFileSync } from 'node:fs';
import { BY_HAND, COMMANDS, UNTRIED } from './commands.ts';
import { commandsOf, npmCommandsOf, pages } from './markdown.ts';

const named = pages().flatMap((page) =>
  [...commandsOf(page), ...npmCommandsOf(page)].map((command) => ({ file: page.file, command })),
);

test('tools/docs/commands.ts says of each command in a document how it is tried', () => {
  const unlisted = named.filter(({ command }) => !COMMANDS.some(([known]) => known.test(command)));
  const unused = COMMANDS.filter(([known]) => !named.some(({ command }) => known.test(command)));
  const missing = COMMANDS.map(([, tried]) => tried).filter(
    (tried) => tried !== UNTRIED && tried !== BY_HAND && !existsSync(tried),
  );

  expect({ unlisted, unused, missing }).toEqual({ unlisted: [], unused: [], missing: [] });
});

test('a document with an untried command says so', () => {
  const untried = named.filter(({ command }) =>
    COMMANDS.some(([known, tried]) => tried === UNTRIED && known.test(command)),
  );
  const silent = untried.filter(({ file }) => !readFileSync(file, 'utf8').includes('untried'));

  expect(silent).toEqual([]);
});

test('the npm scripts in the documents exist, with their options', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const wrong = named.filter(({ command }) => {
    const [, name = '', rest = ''] =
      /^npm (?:run )?(start|test|[\w]+:?[\w]+)\b(.*)/.exec(command) ?? [];
    if (name === '' || /^(ci|install|create)$/.test(name)) return false;
    const program = /^node (\S+)/.exec(scripts[name] ?? '')?.[1];
    const source = program === undefined ? '' : readFileSync(program, 'utf8');
    const options = [...rest.matchAll(/ --(\w[\w-]*)/g)].map(([, option = '']) => option);
    const isOption = (option: string) => new RegExp(`\\b'?${option}'?: \\{`).test(source);
    return scripts[name] === undefined || !options.every(isOption);
  });

  expect(wrong).toEqual([]);
});
