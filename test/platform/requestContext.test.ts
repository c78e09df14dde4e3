import { currentContext, RequestContext } from '../../functions/src/platform/requestContext.ts';

const LIMIT_MS = 3_000;

jest.useFakeTimers();

test('each request has its own context, and there is none outside of one', async () => {
  const usages = await Promise.all(
    [1, 2].map((reads) =>
      new RequestContext().run(LIMIT_MS, async () => {
        await Promise.resolve();
        currentContext().usage.reads += reads;
        return currentContext().usage;
      }),
    ),
  );

  expect(usages).toMatchObject([
    { reads: 1, writes: 0 },
    { reads: 2, writes: 0 },
  ]);
  expect(() => currentContext()).toThrow('No request is being served.');
});

test('returns the result of the work or its error, and leaves no timer behind', async () => {
  const outcomes = await Promise.allSettled([
    new RequestContext().run(LIMIT_MS, () => Promise.resolve(7)),
    new RequestContext().run(LIMIT_MS, () => Promise.reject(new Error('No.'))),
  ]);

  expect(outcomes).toMatchObject([{ value: 7 }, { reason: new Error('No.') }]);
  expect(jest.getTimerCount()).toBe(0);
});

test('aborts the work at the deadline and not before, whatever the work does', async () => {
  const context = new RequestContext();
  const result = context.run(LIMIT_MS, () => new Promise<never>(() => undefined));
  // The test looks at the rejection later.
  result.catch(() => undefined);

  await jest.advanceTimersByTimeAsync(LIMIT_MS - 1);
  expect([context.signal.aborted, context.msLeft]).toEqual([false, 1]);
  await jest.advanceTimersByTimeAsync(1);
  jest.runAllTimers();

  expect([context.signal.aborted, context.msLeft]).toEqual([true, 0]);
  await expect(result).rejects.toMatchObject({
    code: 'unavailable',
    cause: new Error('The deadline has passed.'),
  });
});

test('lets the work say what it has written before it fails at the deadline', async () => {
  const context = new RequestContext();
  context.mayHaveWritten = true;
  const result = context.run(LIMIT_MS, async () => {
    await new Promise((resolve) => {
      context.signal.addEventListener('abort', resolve);
    });
    context.mayHaveWritten = false;
    return new Promise<never>(() => undefined);
  });
  const mayHaveWritten = result.catch(() => context.mayHaveWritten);

  await jest.advanceTimersByTimeAsync(LIMIT_MS + 1);

  expect(await mayHaveWritten).toBe(false);
});

test('shared work fails with the error of its request, and does not start after the deadline', async () => {
  const context = new RequestContext();
  const work = jest.fn(() => new Promise<never>(() => undefined));
  const failures: unknown[] = [];
  const fail = (reason: unknown) => failures.push(reason);
  const result = context.run(LIMIT_MS, async () => {
    const shared = currentContext().runShared(work);
    shared.catch(fail);
    return shared;
  });
  result.catch(fail);

  await jest.advanceTimersByTimeAsync(LIMIT_MS + 1);

  expect(failures).toHaveLength(2);
  expect(failures[0]).toBe(failures[1]);
  await expect(context.runShared(work)).rejects.toBe(failures[0]);
  expect(work).toHaveBeenCalledTimes(1);
});

test('ends what is under way when the work ends, however it ends', async () => {
  const contexts = [new RequestContext(), new RequestContext()];

  await contexts[0]?.run(LIMIT_MS, () => Promise.resolve());
  await contexts[1]?.run(LIMIT_MS, () => Promise.reject(new Error('No.'))).catch(() => undefined);

  expect(contexts.map(({ signal }) => signal.reason as unknown)).toEqual([
    new Error('The request has ended.'),
    new Error('The request has ended.'),
  ]);
});

describe('room for long responses', () => {
  /** Requests under way that have asked for room, in order. */
  function startRequests(number: number, bytes = 256 * 1024) {
    return Array.from({ length: number }, () => {
      const context = new RequestContext();
      const work = Promise.withResolvers<undefined>();
      const state = { hasRoom: false, leave: (): void => undefined };
      const ask = async () => {
        state.leave = await context.room(bytes);
        state.hasRoom = true;
      };
      const run = context.run(LIMIT_MS, () => work.promise);
      run.catch(() => undefined);
      const end = () => {
        work.resolve(undefined);
      };
      void ask();
      return Object.assign(state, { ask, end, context });
    });
  }

  const settle = () => jest.advanceTimersByTimeAsync(0);

  async function whoHasRoom(requests: readonly { hasRoom: boolean }[]): Promise<number[]> {
    await settle();
    return requests.flatMap(({ hasRoom }, index) => (hasRoom ? [index] : []));
  }

  test('is for four requests at a time, in order, each until it ends', async () => {
    const requests = startRequests(6);
    expect(await whoHasRoom(requests)).toEqual([0, 1, 2, 3]);

    requests[2]?.end();
    expect(await whoHasRoom(requests)).toEqual([0, 1, 2, 3, 4]);

    requests.forEach(({ end }) => {
      end();
    });
    expect(await whoHasRoom(requests)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('for more than 6 MiB is for one request at a time', async () => {
    const [long, huge] = [startRequests(4), startRequests(2, 6 * 1024 * 1024)];
    expect(await whoHasRoom([...long, ...huge])).toEqual([0, 1, 2, 3, 4]);

    huge[0]?.end();
    expect(await whoHasRoom(huge)).toEqual([0, 1]);
    [...long, ...huge].forEach(({ end }) => {
      end();
    });
  });

  test('is given back by a call that needs it no longer, unless another one of its request does', async () => {
    const requests = startRequests(5);
    await settle();
    const [first] = requests;
    const leave = first?.leave;
    await first?.ask();

    leave?.();
    expect(await whoHasRoom(requests)).toEqual([0, 1, 2, 3]);
    first?.leave();
    expect(await whoHasRoom(requests)).toEqual([0, 1, 2, 3, 4]);

    // It asks anew, behind the others.
    const again = first?.context.room(256 * 1024);
    requests[1]?.end();
    expect(await again).toBeInstanceOf(Function);
    requests.forEach(({ end }) => {
      end();
    });
  });

  test('is not taken up by requests that have ended while they waited', async () => {
    const requests = startRequests(9);
    await settle();

    for (const { end } of requests.slice(4, 8)) end();
    await settle();
    requests[0]?.end();

    expect(requests[8]?.hasRoom).toBe(false);
    expect((await whoHasRoom(requests)).at(-1)).toBe(8);
    requests.forEach(({ end }) => {
      end();
    });
  });
});
