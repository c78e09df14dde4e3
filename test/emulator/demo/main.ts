/** `npm run seed`: writes the demo data into running emulators. */
import { connectsTo } from '../ports.ts';
import { writeDemoData, type DemoTarget } from './write.ts';

function target(): DemoTarget {
  const { GCLOUD_PROJECT, FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST, HOSTING } =
    process.env;
  return {
    projectId: GCLOUD_PROJECT ?? 'demo-tattoo',
    firestoreHost: FIRESTORE_EMULATOR_HOST ?? '127.0.0.1:8080',
    authHost: FIREBASE_AUTH_EMULATOR_HOST ?? '127.0.0.1:9099',
    baseAddress: `http://${HOSTING ?? '127.0.0.1:5000'}/api`,
  };
}

/** Throws an error if the target is not a running emulator. */
async function requireEmulators({ projectId, firestoreHost, authHost }: DemoTarget): Promise<void> {
  if (!projectId.startsWith('demo-')) {
    throw new Error(
      `The demo data can only be written to a project whose id starts with demo-, not to ${projectId}.`,
    );
  }
  for (const [name, host] of [
    ['Firestore', firestoreHost],
    ['Auth', authHost],
  ] as const) {
    const [, hostname = '', port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(host) ?? [];
    if (port === undefined) {
      throw new Error(
        `The demo data can only be written to emulators on this machine, such as 127.0.0.1:8080, not to ${host}.`,
      );
    }
    if (!(await connectsTo(hostname.replace(/[[\]]/g, ''), Number(port)))) {
      throw new Error(`There is no ${name} emulator at ${host}: start it first (npm start).`);
    }
  }
}

try {
  const emulators = target();
  await requireEmulators(emulators);
  const { documents, accounts } = await writeDemoData(emulators);
  console.log(
    `Wrote ${documents} documents to ${emulators.firestoreHost} and ${accounts} accounts to ` +
      `${emulators.authHost}, project ${emulators.projectId}.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
