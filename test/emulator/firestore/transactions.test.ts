import { Transactions } from './transactions.ts';

const TIMES = { idleMs: 60_000, lockWaitMs: 60_000 };
const CONTENTION = 'Transaction was aborted: too much contention on these documents.';
const EXPIRED = 'The referenced transaction has expired or is no longer valid.';

function keys(...names: string[]): Set<string> {
  return new Set(names);
}

describe('transactions', () => {
  test('with a document in common are aborted when one of them commits', () => {
    const transactions = new Transactions(TIMES);
    const [first, second] = [transactions.begin(), transactions.begin()];
    transactions.read(first, keys('a'));
    transactions.read(second, keys('a', 'b'));

    expect(transactions.commit(second, keys('a'), () => 'written')).toBe('written');
    expect(() => transactions.commit(first, keys('a'), () => 'lost')).toThrow(CONTENTION);
    transactions.clear();
  });

  test('with different documents do not conflict', () => {
    const transactions = new Transactions(TIMES);
    const [first, second] = [transactions.begin(), transactions.begin()];
    transactions.read(first, keys('a'));
    transactions.read(second, keys('b'));

    expect(transactions.commit(second, keys('b'), () => 'one')).toBe('one');
    expect(transactions.commit(first, keys('a'), () => 'two')).toBe('two');
  });

  test('end with a failed commit, and release their locks', async () => {
    const transactions = new Transactions(TIMES);
    const failing = transactions.begin();
    transactions.read(failing, keys('a'));
    const fail = () => {
      throw new Error('refused');
    };

    expect(() => {
      transactions.commit(failing, keys('a'), fail);
    }).toThrow('refused');
    expect(() => {
      transactions.read(failing, keys('a'));
    }).toThrow(EXPIRED);
    expect(await transactions.write(keys('a'), () => 'written')).toBe('written');
  });

  test('delay a write outside of transactions until they end', async () => {
    const transactions = new Transactions(TIMES);
    const reader = transactions.begin();
    transactions.read(reader, keys('a'));
    const order: string[] = [];

    const write = transactions.write(keys('a'), () => order.push('plain'));
    transactions.commit(reader, keys('a'), () => order.push('transaction'));
    await write;

    expect(order).toEqual(['transaction', 'plain']);
  });

  test('make a write outside of transactions time out', async () => {
    const transactions = new Transactions({ ...TIMES, lockWaitMs: 1 });
    const reader = transactions.begin();
    transactions.read(reader, keys('a'));

    await expect(transactions.write(keys('a'), () => 'lost')).rejects.toMatchObject({
      code: 10,
      message: 'Transaction lock timeout.',
    });
    transactions.clear();
  });

  test('expire when they are idle', async () => {
    const transactions = new Transactions({ ...TIMES, idleMs: 1 });
    const idle = transactions.begin();
    transactions.read(idle, keys('a'));

    expect(await transactions.write(keys('a'), () => 'written')).toBe('written');
    expect(() => transactions.commit(idle, keys('a'), () => 'late')).toThrow(EXPIRED);
  });
});
