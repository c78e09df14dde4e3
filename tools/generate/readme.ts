import { deployedEndpoints, type DeployedEndpoint } from '../../functions/declared/deployMap.ts';
import { withPart } from '../docs/generatedPart.ts';

const BEGIN = '<!-- endpoints: written by npm run generate -->';
const END = '<!-- end of the endpoints -->';

const HEAD = ['endpoint', 'who may call', 'function'];

/** README.md with its table of all endpoints. */
export function withEndpoints(file: string): string {
  const rows = [HEAD, HEAD.map(() => '-'), ...deployedEndpoints.map(rowOf)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return withPart(file, BEGIN, END, `\n\n${table}\n\n`);
}

function rowOf({ functionId, endpoint }: DeployedEndpoint): string[] {
  const { method, path, access, onlyFor = 'anyone signed in' } = endpoint.declaration;
  return [`\`${method} ${path}\``, access === 'public' ? 'anyone' : onlyFor, `\`${functionId}\``];
}
