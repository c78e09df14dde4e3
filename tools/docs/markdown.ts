/** What the tests of the documents read in them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A Markdown file of the repository. */
export interface Page {
  readonly file: string;
  readonly text: string;
}

/** A link to another file, or to a heading. */
export interface Link {
  /** Empty if the heading is in the same file. */
  readonly path: string;
  /** Without `#`; undefined if the link is to a whole file. */
  readonly anchor: string | undefined;
}

const FENCED = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

/** All Markdown files but templates. */
export function pages(): Page[] {
  const exclude = (path: string) => /(^|\/)(node_modules|lib|\.[^/]+)$/.test(path);
  return globSync('**/*.md', { exclude })
    .filter((file) => file !== 'tools/data/guide.md')
    .sort()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

/** The links of a page to files and headings of the repository. */
export function linksOf({ text }: Page): Link[] {
  const targets = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^\w+:|^\//.test(target))
    .map((target) => {
      // The API reference puts the headings of its description below this.
      const [path = '', anchor] = target.replace('#description/', '#').split('#');
      return { path, anchor };
    });
}

/** The file to which a link leads. */
export function targetOf({ file }: Page, { path }: Link): string {
  return path === '' ? file : join(dirname(file), path);
}

/** The anchors of the headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The commands in fenced blocks of shell commands: without comments, each on one line, its spaces as one. */
export function commandsOf({ text }: Page): string[] {
  return [...text.matchAll(FENCED)]
    .filter(([, language]) => language === 'sh')
    .flatMap(([, , block = '']) => onOneLine(block).split('\n'))
    .map((line) =>
      line
        .replace(/(^|\s)# .*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Joins lines that end with a backslash, and those of a quoted text. */
function onOneLine(block: string): string {
  return block
    .replace(/ *\\\n\s*/g, ' ')
    .replace(/'[^']*'/g, (quoted) => quoted.replace(/\s*\n\s*/g, ' '));
}

/** The npm commands in a page: `npm run bench -- --write`, `npm test`. */
export function npmCommandsOf({ text }: Page): string[] {
  const commands = /\bnpm (run \w[\w:-]*\w(?![:\w])|start|test)( -- [^`\n]*)?/g;
  return (text.match(commands) ?? []).map((command) => command.replace(/ -->$/, ''));
}

/** A page without its code blocks. */
function prose(text: string): string {
  return text.replace(FENCED, '');
}
