/**
 * Access tokens of the service account of this process, from the platform's metadata server
 * (https://cloud.google.com/run/docs/container-contract#metadata-server). Google's client library sends the same request,
 * but loading it takes a tenth of a cold start.
 */
import { fetchText } from './fetchText.ts';

/** How long fetching a token may take, in ms. */
const LIMIT_MS = 5_000;

/** An OAuth access token, as the metadata server returns it. */
export interface AccessToken {
  readonly access_token: string;
  /** How long it is valid, in seconds. */
  readonly expires_in: number;
}

/** Fetches a token that is valid for the Google APIs of this scope only. */
export async function fetchAccessToken(scope: string): Promise<AccessToken> {
  const host = process.env.GCE_METADATA_HOST ?? '169.254.169.254';
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(scope)}`;
  const { text } = await fetchText(url, {
    headers: { 'Metadata-Flavor': 'Google' },
    signal: AbortSignal.timeout(LIMIT_MS),
    // Never through a proxy: the address is only valid within this machine.
    agent: false,
  });
  const token = JSON.parse(text) as Partial<AccessToken>;
  if (!isAccessToken(token)) throw new Error('The metadata server did not return an access token.');
  return token;
}

function isAccessToken(token: Partial<AccessToken>): token is AccessToken {
  const { access_token: text, expires_in: seconds } = token;
  return typeof text === 'string' && text !== '' && typeof seconds === 'number';
}
