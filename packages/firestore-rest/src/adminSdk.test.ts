/** Why the service does not use Firestore's SDK over REST: its parser takes an incomplete response as a whole one. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { ROOT } from '../../../dev/root.ts';

const admin = createRequire(createRequire(join(ROOT, 'package.json')).resolve('firebase-admin'));
const firestore = createRequire(admin.resolve('@google-cloud/firestore'));

/** The parser of lists. */
interface Parser {
  readonly StreamArrayParser: new (method: unknown) => Transform;
}

/** Descriptions of calls. */
interface Root {
  resolveAll(): Root;
  lookupService(name: string): { readonly methods: Readonly<Record<string, unknown>> };
}
interface Gax {
  readonly protobuf: { readonly Root: { fromJSON(json: unknown): Root } };
}

const { StreamArrayParser } = firestore('google-gax/build/src/streamArrayParser') as Parser;
const { protobuf } = firestore('google-gax') as Gax;
const runQuery = protobuf.Root.fromJSON(admin('@google-cloud/firestore/build/protos/v1.json'))
  .resolveAll()
  .lookupService('google.firestore.v1.Firestore').methods.RunQuery;

async function parsed(body: string): Promise<unknown[]> {
  return Readable.from([Buffer.from(body)])
    .pipe(new StreamArrayParser(runQuery))
    .toArray();
}

const ELEMENT = '{"document":{"name":"projects/p/databases/d/documents/flash/a"}}';

test.each([
  ['a list that is cut within its second document', `[${ELEMENT},${ELEMENT.slice(0, 30)}`],
  ['a list that is cut after its first document', `[${ELEMENT},`],
])('google-gax reads %s as one document, without an error', async (_what, body) => {
  expect(await parsed(body)).toHaveLength(1);
});
