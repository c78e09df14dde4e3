import {
  exampleRequest,
  storeExampleWorld,
  type ExampleRequest,
} from '../../support/exampleRequests.ts';
import type { InProcessService } from '../../support/inProcessService.ts';
import { rootOf } from '../../support/serviceRequest.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import type { AttackResponse } from './attack.ts';

/** The owner of everything that is attacked. */
export const ALICE = { uid: 'artist-alice', prefix: 'alices' } as const;
/** Another artist with the same kinds of documents. */
export const BOB = { uid: 'artist-bob', prefix: 'bobs' } as const;
/** Other signed-in users: the client of Alice's booking, a studio, and an account without a profile. */
export const OTHERS = ['client-carol', 'studio-dan', 'account-without-profile'] as const;

/** Stores the documents that the attacks target. */
export async function storeTargets({ store }: InProcessService): Promise<void> {
  await storeExampleWorld(store, ALICE);
  await storeExampleWorld(store, BOB);
  for (const uid of OTHERS.slice(0, 2)) {
    await store.set(`users/${uid}`, { userType: uid.split('-')[0], newNotificationsCount: 5 });
  }
}

/** Alice's own example request to a function, with changes. */
export async function send(
  service: InProcessService,
  functionId: string,
  change: Partial<Omit<ExampleRequest, 'body'>> & { readonly body?: string | Uint8Array } = {},
  uid: string = ALICE.uid,
): Promise<AttackResponse> {
  const { path, ...own } = exampleRequest(functionId, ALICE, service.tokenOf(uid));
  const headers = { ...own.headers, ...change.headers };
  return rawRequest(rootOf(service.originOf(functionId)).origin, change.path ?? path, {
    ...own,
    ...change,
    headers,
  });
}

/** The JSON body of Alice's example request to a function, with other fields. */
export function bodyWith(functionId: string, fields: Readonly<Record<string, unknown>>): string {
  const { body = '{}' } = exampleRequest(functionId, ALICE, '');
  return JSON.stringify({ ...(JSON.parse(body) as object), ...fields });
}
