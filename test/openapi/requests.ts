import { EXAMPLE_CALLER } from '../../functions/src/http/declaration.ts';
import { deployedEndpoints, exampleOf, type DeployedEndpoint } from '../support/deployMap.ts';
import { unsignedToken } from '../emulator/google/idTokens.ts';

/** The project of the local stack (`npm start`). */
const PROJECT = 'demo-tattoo';
/** In seconds since the epoch: long ago, and the year 2100. */
const [ISSUED_AT, EXPIRES_AT] = [1_767_225_600, 4_102_444_800];

const TOKEN = unsignedToken({
  aud: PROJECT,
  iss: `https://securetoken.google.com/${PROJECT}`,
  sub: EXAMPLE_CALLER,
  user_id: EXAMPLE_CALLER,
  iat: ISSUED_AT,
  auth_time: EXPIRES_AT,
  exp: EXPIRES_AT,
  firebase: { identities: {}, sign_in_provider: 'custom' },
});

const HEAD = `# The tattoo marketplace API, request by request, on the demo data of the local stack (npm start).
# For VS Code's REST Client, the HTTP client of JetBrains' editors, and httpYac. Nothing has to be sent first.
# \`npm run openapi\` writes this file from the examples of the endpoints.

# If the stack was started with --port-offset, change the port.
@api = http://127.0.0.1:5000/api

# An unsigned token of ${EXAMPLE_CALLER}, who owns what is changed below. Only the emulators take it, and it does not
# expire. A token of a deployed project comes from an app that is signed in: the reference says how.
@token = ${TOKEN}
`;

/** public/requests.http: the example request of each endpoint. */
export function requestCollection(): string {
  return [HEAD, ...deployedEndpoints.map(requestOf)].join('\n');
}

function requestOf(deployed: DeployedEndpoint): string {
  const { method, path, summary, access } = deployed.endpoint.declaration;
  const { params = {}, query = {}, body } = exampleOf(deployed);
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const parameters = new URLSearchParams(query as Record<string, string>).toString();
  return [
    `### ${summary}`,
    ...(method === 'DELETE' || path.includes('delete')
      ? ['# Once: npm run seed brings it back.']
      : []),
    `${method} {{api}}${target}${parameters === '' ? '' : `?${parameters}`}`,
    ...(access === 'signedIn' ? ['Authorization: Bearer {{token}}'] : []),
    ...(body ? ['Content-Type: application/json', '', JSON.stringify(body, null, 2)] : []),
    '',
  ].join('\n');
}
