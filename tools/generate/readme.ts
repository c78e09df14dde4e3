import { deployedEndpoints, type DeployedEndpoint } from '../../functions/declared/deployMap.ts';
import { withPart } from '../docs/generatedPart.ts';

const BEGIN = '<!-- endpoints: written by npm run generate -->';
const END = '<!-- end of the endpoints -->';

/** README.md with its list of all endpoints. */
export function withEndpoints(file: string): string {
  const list = deployedEndpoints.map(lineOf).join('\n');
  return withPart(file, BEGIN, END, `\n\n${list}\n\n`);
}

function lineOf({ endpoint }: DeployedEndpoint): string {
  const { method, path, access, onlyFor = 'anyone signed in' } = endpoint.declaration;
  return `- \`${method} ${path}\`: ${access === 'public' ? 'anyone' : onlyFor}`;
}
