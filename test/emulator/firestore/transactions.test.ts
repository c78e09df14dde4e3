import { Transactions } from './transactions.ts';

const TIMES = { idleMs: 60_000, lockWaitMs: 60_000 };
const CONTENTION = 'Transaction was aborted: too much contention on these documents.';
const EXPIRED = 'The referenced transaction has expired or is no longer valid.';

function keys(...names: string[]): Set<string> {
  return new Set(names);
}

describe('transactions', () => {
  test('that have read the same are aborted when one of them commits', () => {
    const transactions = new Transactions(TIMES);
    const [first, second] = [transactions.begin(), transactions.begin()];
    transactions.read(first, keys('a'));
    transactions.read(second, keys('a', 'b'));

    expect(transactions.commit(second, keys('a'), () => 'written')).toBe('written');
    expect(() => transactions.commit(first, keys('a'), () => 'lost')).toThrow(CONTENTION);
    transactions.clear();
  });

  test('that have read other things do not mind', () => {
    const transactions = new Transactions(TIMES);
    const [first, second] = [transactions.begin(), transactions.begin()];
    transactions.read(first, keys('a'));
    transactions.read(second, keys('b'));

    expect(transactions.commit(second, keys('b'), () => 'one')).toBe('one');
    expect(transactions.commit(first, keys('a'), () => 'two')).toBe('two');
  });

  test('are ended by a failed commit, and free what they have read', async () => {
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

  test('keep a plain write waiting until they end', async () => {
    const transactions = new Transactions(TIMES);
    const reader = transactions.begin();
    transactions.read(reader, keys('a'));
    const order: string[] = [];

    const write = transactions.write(keys('a'), () => order.push('plain'));
    transactions.commit(reader, keys('a'), () => order.push('transaction'));
    await write;

    expect(order).toEqual(['transaction', 'plain']);
  });

  test('refuse a plain write that has waited too long', async () => {
    const transactions = new Transactions({ ...TIMES, lockWaitMs: 1 });
    const reader = transactions.begin();
    transactions.read(reader, keys('a'));

    await expect(transactions.write(keys('a'), () => 'lost')).rejects.toMatchObject({
      code: 10,
      message: 'Transaction lock timeout.',
    });
    transactions.clear();
  });

  test('expire when nobody uses them', async () => {
    const transactions = new Transactions({ ...TIMES, idleMs: 1 });
    const idle = transactions.begin();
    transactions.read(idle, keys('a'));

    expect(await transactions.write(keys('a'), () => 'written')).toBe('written');
    expect(() => transactions.commit(idle, keys('a'), () => 'late')).toThrow(EXPIRED);
  });
});
