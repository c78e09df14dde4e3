/**
 * The API reference: Swagger UI on the document of this very service. On the local stack it also signs in with a demo
 * account, so that "try it" works for every endpoint.
 */
const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});

offerDemoAccounts();

async function offerDemoAccounts() {
  if (!['127.0.0.1', 'localhost'].includes(location.hostname)) return;
  const emulator = await authEmulator();
  if (emulator === undefined) return;
  const form = document.getElementById('sign-in');
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    signIn(emulator, form);
  });
}

/** Where the Auth emulator is, as Hosting's emulator tells every page. */
async function authEmulator() {
  const answer = await fetch('/__/firebase/init.js?useEmulator=true');
  const [, host] = /"auth":\s*\{[^}]*"hostAndPort":\s*"([^"]+)"/.exec(await answer.text()) ?? [];
  return host;
}

async function signIn(emulator, form) {
  const { email, password } = Object.fromEntries(new FormData(form));
  const answer = await fetch(
    `http://${emulator}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    },
  );
  const { idToken } = await answer.json();
  if (idToken !== undefined) ui.preauthorizeApiKey('idToken', idToken);
  form.querySelector('output').textContent =
    idToken === undefined ? 'There is no such demo account.' : `Signed in as ${email}.`;
}
