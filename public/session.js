/**
 * Who is signed in, for the pages of this folder: with Firebase Auth of the project that serves them, or with the Auth
 * emulator of a local stack.
 */
import {
  browserLocalPersistence,
  connectAuthEmulator,
  initializeApp,
  initializeAuth,
} from './vendor/firebase-auth.js';

/** Firebase Auth; `undefined` where the project that serves this page has no web app to sign in with. */
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

/** What a local stack knows of its demo data, accounts among it; `undefined` where this is deployed. */
export async function localDemo() {
  const answer = await fetch('/demo/local.json');
  return answer.ok ? answer.json() : undefined;
}

/** What Hosting tells every page of its project; its emulator also says where the Auth emulator is. */
async function firebaseConfig() {
  const [config, script] = await Promise.all(
    ['/__/firebase/init.json', '/__/firebase/init.js?useEmulator=true'].map(async (path) => {
      const answer = await fetch(path);
      return answer.ok ? answer.text() : '';
    }),
  );
  const [, emulator] = /"auth":\s*\{[^}]*"hostAndPort":\s*"([^"]+)"/.exec(script) ?? [];
  return { config: JSON.parse(config || '{}'), emulator };
}
