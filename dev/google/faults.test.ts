/** Each fault that ends a call does on the wire what its name says, so that no fault test passes without its fault. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { close, listen, LOOPBACK } from '../ports.ts';
import { deliver, type FaultKind } from './faults.ts';
import { json } from './replies.ts';

const LIST = [{ result: 1 }, { result: 2 }];
const HALF = JSON.stringify(LIST).slice(0, 14);
const ERROR = { error: expect.objectContaining({ status: 'UNAVAILABLE' }) as unknown };

test.each<[kind: FaultKind, isExecuted: boolean, ...seen: unknown[]]>([
  ['reset', false, 'ECONNRESET'],
  ['reset after effect', true, 'ECONNRESET'],
  ['reset within body', true, 200, 'ECONNRESET'],
  ['html', false, 502, expect.stringMatching(/^<!DOCTYPE html>/)],
  ['cut', true, 200, HALF],
  ['error at the end', true, 200, [...LIST, ERROR]],
  ['status', false, 503, [ERROR]],
  ['status after effect', true, 503, [ERROR]],
])('the fault %s does what it says', async (kind, isExecuted, ...expected) => {
  const execute = jest.fn(() => Promise.resolve(json(LIST)));
  const server = createServer((request, response) => {
    const reset = () => request.socket.resetAndDestroy();
    const exchange = { response, isList: true, execute, executeLater: execute, reset };
    void deliver(exchange, { host: 'firestore.googleapis.com', kind });
  });

  const seen = await receive(`http://${LOOPBACK}:${await listen(server)}`);

  expect([execute.mock.calls.length, ...seen]).toEqual([Number(isExecuted), ...expected]);
  const closed = once(server, 'close');
  close(server);
  await closed;
});

/** The status and the body of a response, or the code of the error that ended it. */
async function receive(address: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    const response = await fetch(address);
    seen.push(response.status);
    const body = await response.text();
    seen.push(/^\[.*\]$/.test(body) ? JSON.parse(body) : body);
  } catch (error) {
    seen.push((error as { cause: { code: string } }).cause.code);
  }
  return seen;
}
