/** The reference page in a real browser. */
import { readFileSync } from 'node:fs';
import {
  expectEventually,
  expectNoLayoutOrA11yIssues,
  expectNoProblems,
  ORIGIN,
  page,
  setViewport,
  useBrowser,
} from '../support/browser.ts';
import { getTestStack } from '../../dev/testing/testStack.ts';

useBrowser();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
}

const document = JSON.parse(readFileSync('public/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

async function open(hash = ''): Promise<void> {
  await page.goto(`${ORIGIN}/${hash}`);
  await page.getByRole('heading', { name: 'Tattoo marketplace API' }).waitFor();
}

function account() {
  return page.locator('header select');
}

/** Waits until the token of this user, or none, is in the reference. */
async function signedInAs(email: string): Promise<void> {
  await page.locator('select[aria-busy="false"]').waitFor();
  await expectEventually(() => account().inputValue(), email);
}

async function signIn(): Promise<void> {
  await account().selectOption('mara.voss@example.com');
  await signedInAs('mara.voss@example.com');
}

/** Opens the dialog of an operation, and sends the prefilled request; returns the response. */
async function testRequest({ path, method }: { path: string; method: string }) {
  await page.locator('button', { hasText: `(${method} ${path})` }).click();
  return send();
}

async function send() {
  const response = page.waitForResponse(
    (response) =>
      response.url().startsWith(`${ORIGIN}/api/`) && response.request().method() !== 'OPTIONS',
  );
  await page.getByRole('button', { name: 'Send', exact: false }).first().click();
  return response;
}

test.each([
  [1440, 'light'],
  [390, 'dark'],
] as const)(
  'works at %i, %s without errors, requests to other hosts, horizontal scrolling or our own accessibility problems',
  async (width, colorScheme) => {
    const look = (view: string) =>
      // Whether a rule is broken in Scalar's own elements is not ours to decide.
      expectNoLayoutOrA11yIssues(`reference-${width}-${colorScheme}-${view}`, [
        '#reference',
        '.scalar',
      ]);
    await setViewport(width, colorScheme);
    await open();
    await look('start');
    await signIn();
    await open('#tag/flash/PUT/flash/reorder');
    const sample = page.getByRole('button', { name: '(put /flash/reorder)' });
    await sample.waitFor();
    await look('operation');
    await sample.click();
    await look('dialog');
    const close = await page.locator('.app-exit-button').boundingBox();
    const header = await page.locator('header').first().boundingBox();
    expect(close?.y).toBeGreaterThan(header?.height ?? Infinity);
    await send();
    await page.getByRole('region', { name: 'Response' }).getByText('"success"').waitFor();

    expectNoProblems();
  },
);

test.each(['vendor/api-reference.js', 'openapi.json'])(
  'signs in before %s is there, and says so if it cannot be loaded',
  async (file) => {
    let fail: () => void = () => undefined;
    await page.route(`${ORIGIN}/${file}`, async (route) => {
      await new Promise<void>((resolve) => (fail = resolve));
      await route.abort();
    });
    await page.goto(ORIGIN);
    await page.getByText('Loading the reference').waitFor();
    await signIn();
    fail();

    await page.getByText('The reference could not be loaded.').waitFor();
    const loading = page.getByText('Loading the reference');
    await expect(loading.waitFor({ state: 'hidden' })).resolves.toBeUndefined();
  },
);

test('has the guides, with commands that work on this stack', async () => {
  await open();

  const text = await page.locator('#reference').innerText();
  const [, client = ''] = /npm install (\S+)/.exec(text) ?? [];

  expect((await page.request.get(client)).status()).toBe(200);
  expect(text).toContain(`http://${getTestStack().authHost}/identitytoolkit`);
  expect(text).toContain('"password":"demo-password"');
  for (const guide of ['Authentication', 'Errors', 'Use the client']) {
    expect(text).toContain(guide);
  }
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'sends the prefilled request of %s, which is for a first page and not conditional, and gets 200',
  async (_name, { tags, method, path }) => {
    await open();
    await signIn();
    await page.goto(`${ORIGIN}/#tag/${tags[0].toLowerCase()}/${method.toUpperCase()}${path}`);

    const response = await testRequest({ path, method });

    expect([response.status(), await response.text()]).toEqual([200, expect.any(String)]);
    expect(response.url()).not.toContain('cursor');
    expect(response.request().headers()).not.toHaveProperty('if-none-match');
    expectNoProblems();
  },
);

const RESET = { path: '/notifications/reset-new-notifications', method: 'post' };

test('stays signed in over a reload, until the user signs out', async () => {
  await open('#tag/notifications');
  await signIn();
  await page.reload();
  await signedInAs('mara.voss@example.com');

  expect((await testRequest(RESET)).status()).toBe(200);
  await page.keyboard.press('Escape');
  await account().selectOption('signed out');
  await signedInAs('');
  expect((await testRequest(RESET)).status()).toBe(401);
});

test('says why a sign-in has failed', async () => {
  await open();
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => route.abort());
  const failure = page.locator('#failure');

  await account().selectOption({ index: 1 });
  await failure.getByText('Sign-in failed (auth/network-request-failed).').waitFor();
  await signedInAs('');
  await page.unrouteAll();
  await signIn();

  await expectEventually(() => failure.innerText(), '');
});

test('sends the token that a reader of a deployment has pasted', async () => {
  // Only a local stack has this file.
  await page.route('**/demo/local.json', (route) => route.fulfill({ status: 404 }));
  await open('#tag/notifications');
  const sent = page.waitForRequest(`**/api${RESET.path}`);

  await page.locator('#reference').getByLabel('Bearer Token').first().fill('a-token');
  await testRequest(RESET);

  expect((await sent).headers().authorization).toBe('Bearer a-token');
  for (const local of [account(), page.getByText('Demo app')]) {
    await local.waitFor({ state: 'hidden' });
  }
});
