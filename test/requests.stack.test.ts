/** Holds public/requests.http to the service: each of its requests is sent to the demo data, as a person would. */
import { readFileSync } from 'node:fs';
import { deployedEndpoints } from './support/deployMap.ts';
import { rawRequest } from './support/rawRequest.ts';
import { serviceRequest } from './support/serviceRequest.ts';
import { testStack } from './support/stack.ts';

interface HttpRequest {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The requests of a .http file: parted by `###`, a line of method and target, headers, an empty line, the body. */
function requestsOf(text: string): HttpRequest[] {
  return text.split(/^###/m).flatMap((part) => {
    const [title = '', ...lines] = part.split('\n').filter((line) => !/^(#|@)/.test(line));
    const [head = '', ...rest] = lines.join('\n').trim().split('\n\n');
    const [line = '', ...headers] = head.split('\n');
    const [method = '', target] = line.split(' ');
    if (target === undefined) return [];
    return [
      {
        title: title.trim(),
        method,
        target,
        headers: Object.fromEntries(headers.map((header) => nameAndValue(header))),
        body: rest.join('\n\n'),
      },
    ];
  });
}

function nameAndValue(header: string): readonly [string, string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon), header.slice(colon + 1).trim()];
}

describe('public/requests.http', () => {
  const [signIn, ...requests] = requestsOf(readFileSync('public/requests.http', 'utf8'));
  const { authHost, baseAddress } = testStack();
  const hosting = new URL(baseAddress);

  test('has a request for every endpoint, by the name of its summary', () => {
    expect(requests.map(({ title }) => title).sort()).toEqual(
      deployedEndpoints.map(({ endpoint }) => endpoint.declaration.summary).sort(),
    );
  });

  test('is answered with 200 for the demo accounts, and as the document says', async () => {
    const address = new URL(signIn?.target.replace('{{auth}}', authAddress(authHost)) ?? '');
    const answer = await rawRequest(address.origin, `${address.pathname}${address.search}`, {
      method: 'POST',
      headers: signIn?.headers ?? {},
      body: signIn?.body ?? '',
    });
    const { idToken } = JSON.parse(answer.text) as { idToken: string };

    const statuses: (readonly [string, number])[] = [];
    for (const { title, method, target, headers, body } of requests) {
      const sent = Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('{{mara.response.body.idToken}}', idToken),
      ]);
      const { status } = await serviceRequest(hosting, target.replace('{{api}}', ''), {
        method,
        headers: Object.fromEntries(sent) as Record<string, string>,
        ...(body !== '' && { body }),
      });
      statuses.push([title, status]);
    }

    expect(statuses).toEqual(requests.map(({ title }) => [title, 200]));
  });
});

function authAddress(authHost: string): string {
  return `http://${authHost}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`;
}
