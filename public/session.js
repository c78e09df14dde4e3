/**
 * Sign-in for the pages in this folder: with Firebase Auth of the project that serves them, or with the Auth emulator
 * of the local stack.
 */
import {
  browserLocalPersistence,
  connectAuthEmulator,
  initializeApp,
  initializeAuth,
} from './vendor/firebase-auth.js';

/** Firebase Auth; `undefined` if the project that serves this page has no web app. */
export async function startAuth() {
  const { config, emulator } = await firebaseConfig();
  if (config.apiKey === undefined && emulator === undefined) return undefined;
  const auth = initializeAuth(initializeApp({ apiKey: 'demo', ...config }), {
    persistence: browserLocalPersistence,
  });
  if (emulator !== undefined) {
    connectAuthEmulator(auth, `http://${emulator}`, { disableWarnings: true });
  }
  return auth;
}

/** The local stack's description of its demo data, including the accounts; `undefined` in a deployment. */
export async function localDemo() {
  const answer = await fetch('/demo/local.json');
  return answer.ok ? answer.json() : undefined;
}

/** The project configuration from Hosting. Its emulator adds the address of the Auth emulator. */
export async function firebaseConfig() {
  const [config, script] = await Promise.all(
    ['/__/firebase/init.json', '/__/firebase/init.js?useEmulator=true'].map(async (path) => {
      const answer = await fetch(path);
      return answer.ok ? answer.text() : '';
    }),
  );
  const [, emulator] = /"auth":\s*\{[^}]*"hostAndPort":\s*"([^"]+)"/.exec(script) ?? [];
  return { config: JSON.parse(config || '{}'), emulator };
}
