import {
  FirestoreError,
  isEqual,
  toFields,
  toValue,
  type Fields,
  type Firestore,
} from '@tattoo-marketplace/firestore-rest';
import { callLimits } from '../data/projectDatabase.ts';
import { UserError } from './commandLine.ts';

/** Values that are easily misread in JSON. */
const STORED = toFields({ text: 'ä"\n😀', double: 0.1, integer: 2 ** 53 - 1, map: { list: [1] } });

/**
 * The calls of the service with a new document at this path: batchGet, runQuery, count, and commits with preconditions.
 * Returns what is not as the client expects it of Firestore, as sentences, and deletes the document. `write` creates it,
 * which the client cannot, and deletes it where it has no fields.
 */
export async function wireFaults(
  database: Firestore,
  write: (path: string, fields?: Fields) => Promise<unknown>,
  path: string,
): Promise<string[]> {
  const faults: string[] = [];
  const expect = (isRight: boolean | undefined, what: string) => {
    if (!isRight) faults.push(`Firestore: ${what}`);
  };
  const read = async () => {
    const { documents } = await database.get([path], Object.keys(STORED), callLimits());
    return documents[0];
  };
  const isStored = (fields: Fields | undefined) =>
    Object.entries(STORED).every(([name, value]) => isEqual(fields?.[name], value));

  expect((await read()) === undefined, 'batchGet does not report a missing document.');
  await write(path, STORED);
  try {
    const first = await read();
    if (first === undefined) throw new UserError('Firestore: batchGet does not find a document.');
    expect(isStored(first.fields), 'batchGet returns other values than were stored.');
    const query = {
      collection: path.slice(0, path.lastIndexOf('/')),
      where: { text: 'ä"\n😀' },
      select: Object.keys(STORED),
    };
    const { documents } = await database.find(query, 10, undefined, callLimits());
    const found = documents.find((each) => each.path === path);
    expect(isStored(found?.fields), 'runQuery does not find the document with its values.');
    expect(found?.updateTime === first.updateTime, 'runQuery returns another update time.');
    const { total } = await database.count(query, callLimits());
    expect(total >= 1, 'runAggregationQuery does not count the document.');

    const change = { update: first, changes: { text: toValue('changed'), double: undefined } };
    await database.commit([change], callLimits());
    const second = await read();
    const { text, ...rest } = second?.fields ?? {};
    expect(text?.stringValue === 'changed' && !('double' in rest), 'commit stores other values.');
    expect(second?.createTime === first.createTime, 'commit changes the time of creation.');
    const again = await database.commit([change], callLimits()).then(
      () => 'success',
      (error: unknown) => (error instanceof FirestoreError ? error.status : String(error)),
    );
    const what = 'commit of a version that is not stored any more ends with';
    expect(again === 'FAILED_PRECONDITION', `${what} ${again}.`);
    if (second) await database.commit([{ delete: second }], callLimits());
    expect((await read()) === undefined, 'commit does not delete the document.');
  } finally {
    await write(path);
  }
  return faults;
}
