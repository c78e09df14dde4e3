/** Generates the table of endpoints in README.md. */
import { type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { endpoints } from '../../functions/service.ts';
import { replaceBetween } from './replaceBetween.ts';

const BEGIN = '<!-- endpoints: written by npm run generate -->';
const END = '<!-- end of the endpoints -->';

/** Updates README.md with a table of all endpoints. */
export function updateEndpoints(text: string): string {
  const header = ['|method|path|who|what|', '|---|---|---|---|'];
  return replaceBetween(
    text,
    BEGIN,
    END,
    `\n\n${[...header, ...endpoints.map(formatRow)].join('\n')}\n\n`,
  );
}

/** Formats the table row of an endpoint. */
function formatRow({ endpoint }: DeployedEndpoint): string {
  const { method, path, access, onlyFor = 'any signed-in user', summary } = endpoint.declaration;
  const cells = [method, `\`${path}\``, access === 'public' ? 'anyone' : onlyFor, summary];
  return `|${cells.join('|')}|`;
}
