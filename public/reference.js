/**
 * The API reference: Scalar with the OpenAPI document of this service. On the local stack it signs in with a demo account, so
 * that each "test request" works; in a deployment the reader pastes an ID token into Scalar's own field.
 */
const demo = await localDemo().catch(() => undefined);
let token = '';
let reference;

// Before the reference: its script takes a slow device many seconds.
if (demo !== undefined) void offerAccounts(demo);
await showReference().catch(() => {
  document.querySelector('#reference').remove();
  fail('The reference could not be loaded.');
});

/** The local stack's accounts and its Auth emulator; `undefined` in a deployment. */
async function localDemo() {
  const response = await fetch('/demo/local.json');
  return response.ok ? response.json() : undefined;
}

async function showReference() {
  const [content] = await Promise.all([documentHere(), load('/vendor/api-reference.js')]);
  document.querySelector('#reference').replaceChildren();
  reference = window.Scalar.createApiReference('#reference', {
    content,
    // Relative, so that it works at any address.
    baseServerURL: location.origin,
    authentication: authentication(),
    // No requests to other hosts, and only the features that an app developer needs.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
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
  const response = await fetch('/openapi.json');
  const text = (await response.text()).replaceAll('https://PROJECT.web.app', location.origin);
  // Throws if this is an error page.
  JSON.parse(text);
  if (demo === undefined) return text;
  return text
    .replaceAll('127.0.0.1:9099', demo.authEmulator)
    .replaceAll('127.0.0.1:5000', location.host)
    .replaceAll('\\"password\\":\\"…\\"', `\\"password\\":\\"${demo.accounts[0].password}\\"`);
}

function authentication() {
  return { preferredSecurityScheme: 'idToken', securitySchemes: { idToken: { token } } };
}

/** On the local stack the reader chooses a demo account. A deployment has neither the demo app nor Firebase's SDK. */
async function offerAccounts({ accounts, authEmulator }) {
  for (const element of document.querySelectorAll('[data-local]')) element.hidden = false;
  const firebase = await import('./vendor/firebase-auth.js');
  const auth = firebase.initializeAuth(firebase.initializeApp({ apiKey: 'demo' }), {
    persistence: firebase.browserLocalPersistence,
  });
  firebase.connectAuthEmulator(auth, `http://${authEmulator}`, { disableWarnings: true });
  const select = document.querySelector('select');
  select.append(
    ...accounts.map(
      ({ displayName, note, email }) => new Option(`${displayName} (${note})`, email),
    ),
  );
  select.addEventListener('change', async () => {
    const account = accounts.find(({ email }) => email === select.value);
    fail('');
    select.ariaBusy = 'true';
    await (
      account === undefined
        ? firebase.signOut(auth)
        : firebase.signInWithEmailAndPassword(auth, account.email, account.password)
    ).catch(({ code }) => {
      select.value = auth.currentUser?.email ?? '';
      select.ariaBusy = 'false';
      fail(`You are not signed in (${code}). Is npm start still running?`);
    });
  });
  // After each sign-in, sign-out and renewal.
  auth.onIdTokenChanged(async (user) => {
    token = (await user?.getIdToken()) ?? '';
    select.value = user?.email ?? '';
    reference?.updateConfiguration({
      ...reference.getConfiguration(),
      authentication: authentication(),
    });
    select.ariaBusy = 'false';
  });
}

function fail(message) {
  document.querySelector('#failure').textContent = message;
}
