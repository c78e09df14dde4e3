/**
 * The API reference: Scalar with the OpenAPI document of this service. On the local stack it signs in with a demo
 * account, so that each "test request" works; in a deployment it asks for an ID token.
 */
import { firebaseConfig, localDemo, startAuth } from './session.js';
import { signInWithEmailAndPassword, signOut } from './vendor/firebase-auth.js';

const demo = await localDemo().catch(() => undefined);

/** Returns the user's ID token, and renews it if it has expired. */
let freshToken = async () => undefined;
/** The ID token in the panels, examples and requests of the reference, once that is there. */
let shownToken;
let reference;

// Before the reference: its script takes a slow device many seconds.
if (demo === undefined) takeToken();
else await offerAccounts(demo.accounts);
await showReference().catch(() => {
  document.querySelector('#failed').hidden = false;
});
document.querySelector('#loading').hidden = true;

async function showReference() {
  const [content] = await Promise.all([documentHere(), load('/vendor/api-reference.js')]);
  reference = window.Scalar.createApiReference('#reference', {
    content,
    // Relative, so that it works at any address.
    baseServerURL: location.origin,
    authentication: authentication(),
    onRequestBuilt: renewToken,
    onRequestSent: showResponse,
    // No requests to other hosts, and only the features that an app developer needs.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    theme: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: hiddenClients(),
    defaultOpenFirstTag: false,
    operationTitleSource: 'summary',
  });
}

/** Loads a script that is not a module. */
function load(src) {
  return new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
  });
}

/**
 * The document with commands that work as they are: at this address, and on the local stack with its ports and a demo
 * password.
 */
async function documentHere() {
  const [response, { emulator }] = await Promise.all([fetch('/openapi.json'), firebaseConfig()]);
  const text = (await response.text()).replaceAll('https://PROJECT.web.app', location.origin);
  // Throws if this is an error page.
  JSON.parse(text);
  if (demo === undefined || emulator === undefined) return text;
  return text
    .replaceAll('127.0.0.1:9099', emulator)
    .replaceAll('127.0.0.1:5000', location.host)
    .replaceAll('\\"password\\":\\"…\\"', `\\"password\\":\\"${demo.accounts[0].password}\\"`);
}

function showToken(token) {
  shownToken = token;
  const configuration = reference?.getConfiguration();
  reference?.updateConfiguration({ ...configuration, authentication: authentication() });
}

function authentication() {
  return {
    preferredSecurityScheme: 'idToken',
    securitySchemes: { idToken: { token: shownToken ?? '' } },
  };
}

/** Replaces the token in a request if it is the one shown, which may have expired, and not one that the reader has typed. */
async function renewToken({ request }) {
  if (request.headers.get('Authorization') !== `Bearer ${shownToken}`) return;
  const token = await freshToken();
  if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
}

/** Scrolls to the response, which is below the request on a small screen. */
function showResponse() {
  document.querySelector('section[aria-label^="Response"]')?.scrollIntoView();
}

/** Hides all example languages but curl, JavaScript, Swift, Kotlin and Dart. */
function hiddenClients() {
  const languages =
    'c clojure csharp fsharp go http java julia node objc ocaml php powershell python r ruby rust';
  return {
    ...Object.fromEntries(languages.split(' ').map((language) => [language, true])),
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    shell: ['httpie', 'wget'],
  };
}

/** In a deployment the reader pastes a token from an app. */
function takeToken() {
  const form = document.querySelector('#own-token');
  const signedIn = document.querySelector('#signed-in');
  const use = (token) => {
    freshToken = async () => token;
    showToken(token);
    form.hidden = token !== undefined;
    signedIn.hidden = token === undefined;
  };
  signedIn.querySelector('output').textContent = 'Your token is sent.';
  signedIn.querySelector('button').textContent = 'Forget it';
  onSubmit(form, () => {
    use(checkedToken(form.elements.token.value));
    form.reset();
  });
  onSubmit(signedIn, () => use(undefined));
  use(undefined);
}

/** A token that the reader has pasted. Throws if it is none, or has expired. Only the service can verify it. */
function checkedToken(text) {
  const token = text.trim().replace(/^Bearer\s+/i, '');
  const [, claims = '', ...rest] = token.split('.');
  let expires;
  try {
    expires = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).exp * 1000;
  } catch {
    expires = NaN;
  }
  if (rest.length !== 1 || Number.isNaN(expires)) throw new Error('This is not an ID token.');
  if (expires < Date.now()) throw new Error('This token has expired: get a new one.');
  return token;
}

/** On the local stack the reader chooses a demo account. A deployment has no demo app. */
async function offerAccounts(accounts) {
  for (const link of document.querySelectorAll('#bar [data-local]')) link.hidden = false;
  const auth = await startAuth();
  const form = document.querySelector('#demo-account');
  const signedIn = document.querySelector('#signed-in');
  const options = accounts.map(
    ({ displayName, note }) => new Option(`${displayName} (${note})`, displayName),
  );
  form.elements.account.append(...options);
  onSubmit(form, async () => {
    const { email, password } = accounts[form.elements.account.selectedIndex];
    await signInWithEmailAndPassword(auth, email, password).catch(({ code }) => {
      throw new Error(`You are not signed in (${code}). Is npm start still running?`);
    });
  });
  onSubmit(signedIn, () => signOut(auth));
  freshToken = async () => auth.currentUser?.getIdToken();
  // After each sign-in, sign-out and renewal.
  auth.onIdTokenChanged(async (user) => {
    showToken(await user?.getIdToken());
    form.hidden = user !== null;
    signedIn.hidden = user === null;
    signedIn.querySelector('output').textContent = user && `Signed in as ${user.displayName}`;
  });
}

/** Acts when a form is submitted, and says so if that fails. */
function onSubmit(form, act) {
  const failure = document.querySelector('#sign-in-failed');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    failure.textContent = '';
    try {
      await act();
    } catch (error) {
      failure.textContent = error.message;
    }
  });
}
