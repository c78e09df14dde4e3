import { deployedEndpoints } from '../../functions/service.ts';
import { type DeployedEndpoint } from '@tattoo-marketplace/endpoints';
import { withPart } from '../docs/generatedPart.ts';

const BEGIN = '<!-- endpoints: written by npm run generate -->';
const END = '<!-- end of the endpoints -->';

/** README.md with its list of all endpoints, by who may call them. */
export function withEndpoints(file: string): string {
  const callers = Map.groupBy(deployedEndpoints, callerOf);
  const lines = [...callers].map(([caller, same]) => `- ${caller}: ${same.map(nameOf).join(', ')}`);
  return withPart(file, BEGIN, END, `\n\n${lines.join('\n')}\n\n`);
}

function callerOf({ endpoint }: DeployedEndpoint): string {
  const { access, onlyFor = 'anyone signed in' } = endpoint.declaration;
  return access === 'public' ? 'anyone' : onlyFor;
}

function nameOf({ endpoint }: DeployedEndpoint): string {
  return `\`${endpoint.declaration.method} ${endpoint.declaration.path}\``;
}
