/**
 * The API reference: Scalar with the OpenAPI document of this service. On the local stack the reader signs in with a demo
 * account, and every "test request" works. In a deployment the reader pastes an ID token into Scalar's own field.
 */
const demo = await fetchLocalDemo().catch(() => undefined);
let token = '';
let isAppCheckEnforced = false;
let reference;

// Before the reference, whose script takes many seconds on a slow device.
if (demo !== undefined) void offerAccounts(demo);
await showReference().catch(() => {
  document.querySelector('#reference').remove();
  showError('The reference could not be loaded. Reload the page to try again.');
});

/** Fetches the accounts and the Auth emulator of the local stack; `undefined` in a deployment. */
async function fetchLocalDemo() {
  const response = await fetch('/demo/local.json');
  return response.ok ? response.json() : undefined;
}

async function showReference() {
  const script = load('/vendor/api-reference.js');
  const [content] = await Promise.all([fetchDocument(), script]);
  isAppCheckEnforced = await checkAppCheck(JSON.parse(content).paths).catch(() => false);
  document.querySelector('#reference').replaceChildren();
  new MutationObserver(makeAccessible).observe(document.body, { childList: true, subtree: true });
  reference = window.Scalar.createApiReference('#reference', {
    content,
    // Relative, so that it works at any address.
    baseServerURL: location.origin,
    authentication: createAuthentication(),
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

/**
 * Gives buttons of Scalar a name for screen readers, if they have none, or one without the text on the button. Lists that scroll
 * sideways can be scrolled with a keyboard.
 */
function makeAccessible() {
  for (const list of document.querySelectorAll('ul[aria-label$=" endpoints"]')) {
    if (list.scrollWidth > list.clientWidth) list.tabIndex = 0;
  }
  for (const button of document.querySelectorAll('.scalar-code-copy, .show-more')) {
    const text = button.matches('.show-more') ? button.innerText.trim() : 'Copy';
    const name = button.ariaLabel ?? '';
    if (!name.includes(text)) button.ariaLabel = [text, name].filter(Boolean).join(': ');
  }
}

/** Checks with a request that changes nothing if the service rejects requests without an App Check token. */
async function checkAppCheck(paths) {
  const path = Object.keys(paths).find((path) => 'get' in paths[path] && !path.includes('{'));
  const { headers } = await fetch(`/api${path}`, { method: 'HEAD' });
  return headers.get('X-Error-Code') === 'app-check';
}

/** Loads a script that is not a module. */
function load(src) {
  return new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
  });
}

/**
 * Fetches the OpenAPI document, and adapts its commands: they work at this address, and on the local stack with its ports and
 * a demo password.
 */
async function fetchDocument() {
  const response = await fetch('/openapi.json');
  const text = (await response.text()).replaceAll('https://PROJECT.web.app', location.origin);
  // Throws if the response is an error page.
  JSON.parse(text);
  if (demo === undefined) return text;
  return (
    text
      // The page has one base address: that of the local stack.
      .replace(/(Base address: )`.*?; on the local stack(?: |\\n)(?=`)/, '$1')
      .replace(/,\s*{\s*"url": "http:[^}]+}/, '')
      .replaceAll('127.0.0.1:9099', demo.authEmulator)
      .replaceAll('127.0.0.1:5000', location.host)
      .replaceAll('\\"password\\":\\"…\\"', `\\"password\\":\\"${demo.accounts[0].password}\\"`)
  );
}

function createAuthentication() {
  return {
    preferredSecurityScheme: isAppCheckEnforced ? [['idToken', 'app']] : 'idToken',
    securitySchemes: { idToken: { token } },
  };
}

/** Lets the reader sign in with a demo account, on the local stack only: a deployment contains neither the demo app nor Firebase's SDK. */
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
    showError('');
    select.ariaBusy = 'true';
    await (
      account === undefined
        ? firebase.signOut(auth)
        : firebase.signInWithEmailAndPassword(auth, account.email, account.password)
    ).catch(({ code }) => {
      select.value = auth.currentUser?.email ?? '';
      select.ariaBusy = 'false';
      showError(`Sign-in failed (${code}). Check that npm start is still running.`);
    });
  });
  // Called after each sign-in, sign-out and renewal of the token.
  auth.onIdTokenChanged(async (user) => {
    token = (await user?.getIdToken()) ?? '';
    select.value = user?.email ?? '';
    reference?.updateConfiguration({
      ...reference.getConfiguration(),
      authentication: createAuthentication(),
    });
    select.ariaBusy = 'false';
  });
}

function showError(message) {
  document.querySelector('#failure').textContent = message;
}
