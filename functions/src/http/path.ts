import { HttpsError } from 'firebase-functions/https';

/** Percent-decoded path parameters by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Reads a path: its parameters; throws `not-found` for another path, `invalid-argument` for one that does not decode. */
export type PathReader = (path: string) => PathParameters;

/**
 * The reader of a path template such as `/flash/artist/{id}/paginated`. The path may start with `/api`, as
 * Hosting sends it; a template without parameters is also met by `/`, the root of the function's own address.
 */
export function pathReader(template: string): PathReader {
  const segments = template.slice(1).split('/');
  const hasParameters = template.includes('{');
  return (path) => {
    if (path === '/' && !hasParameters) return {};
    const sent = path
      .replace(/^\/api(?=\/)/, '')
      .slice(1)
      .split('/');
    if (sent.length !== segments.length) throw noEndpoint();
    const parameters: Record<string, string> = {};
    segments.forEach((segment, index) => {
      const value = sent[index] ?? '';
      if (!segment.startsWith('{')) {
        if (value !== segment) throw noEndpoint();
      } else if (value === '') {
        throw noEndpoint();
      } else {
        parameters[segment.slice(1, -1)] = decoded(value, 'path');
      }
    });
    return parameters;
  };
}

/** The text without its percent-escapes; throws `invalid-argument` where they are malformed. */
export function decoded(text: string, where: 'path' | 'query'): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpsError('invalid-argument', `The ${where} holds a malformed percent-escape.`);
  }
}

function noEndpoint(): HttpsError {
  return new HttpsError('not-found', 'There is no endpoint at this path.');
}
