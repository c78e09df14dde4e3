import { readFileSync } from 'node:fs';
import { declaredParameters } from '../checks/parameters.ts';
import { withPart } from './generatedPart.ts';

const BEGIN = '<!-- parameters: written by npm run openapi -->';
const END = '<!-- end of the parameters -->';

/** docs/operating.md with the table of the declared parameters. */
export function operatingGuide(): string {
  const text = readFileSync('docs/operating.md', 'utf8');
  return withPart(text, BEGIN, END, `\n\n${parameterTable()}\n\n`);
}

function parameterTable(): string {
  const rows = declaredParameters().map(({ name, default: value, description, input }) => {
    const range = /from (\d+ to \d+)/.exec(input?.text?.validationErrorMessage ?? '')?.[1];
    const meaning = range === undefined ? description : description.replace(/\.$/, ` (${range}).`);
    return `| \`${name}=${String(value)}\` | ${meaning} |`;
  });
  return ['| parameter and default | meaning |', '| --- | --- |', ...rows].join('\n');
}
