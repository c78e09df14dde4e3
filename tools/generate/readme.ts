/** Generates the table of endpoints in README.md. */
import { type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { deployedEndpoints } from '../../functions/service.ts';
import { withPart } from '../docs/generatedPart.ts';

const BEGIN = '<!-- endpoints: written by npm run generate -->';
const END = '<!-- end of the endpoints -->';

/** Updates README.md with a table of all endpoints. */
export function withEndpoints(file: string): string {
  const header = ['| method | path | who | what |', '| --- | --- | --- | --- |'];
  return withPart(
    file,
    BEGIN,
    END,
    `\n\n${[...header, ...deployedEndpoints.map(formatRow)].join('\n')}\n\n`,
  );
}

function formatRow({ endpoint }: DeployedEndpoint): string {
  const { method, path, access, onlyFor = 'any signed-in user', summary } = endpoint.declaration;
  const cells = [method, `\`${path}\``, access === 'public' ? 'anyone' : onlyFor, summary];
  return `| ${cells.join(' | ')} |`;
}
