/** Tests the API reference in a browser. */
import { readFileSync } from 'node:fs';
import {
  expectEventually,
  expectNoLayoutOrA11yIssues,
  expectNoProblems,
  ORIGIN,
  page,
  setViewport,
  useBrowser,
} from '../support/processes/browser.ts';
import { getTestStack } from '../support/processes/testStack.ts';

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

function locateAccountSelect() {
  return page.locator('header select');
}

/** Waits until the reference has the token of this user; without an email, until it has no token. */
async function expectSignedInAs(email: string): Promise<void> {
  await page.locator('select[aria-busy="false"]').waitFor();
  await expectEventually(() => locateAccountSelect().inputValue(), email);
}

async function signIn(): Promise<void> {
  await locateAccountSelect().selectOption('mara.voss@example.com');
  await expectSignedInAs('mara.voss@example.com');
}

/** Opens the dialog of an operation, and sends the prefilled request. Returns the response. */
async function sendPrefilledRequest({ path, method }: { path: string; method: string }) {
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

// Scalar's elements are not part of this repository, but its page must be accessible.
const SCALAR = ['#reference', '.scalar'];

test.each([
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)(
  'has no errors, other hosts, horizontal scrolling or accessibility problems at width $width in $colorScheme mode',
  async ({ width, colorScheme }) => {
    const expectNoIssues = (view: string, except: string[] = []) =>
      expectNoLayoutOrA11yIssues(`reference-${width}-${colorScheme}-${view}`, except, SCALAR);
    await setViewport(width, colorScheme);
    await open();
    await expectNoIssues('start');
    await signIn();
    await open('#tag/flash/PUT/flash/reorder');
    const sample = page.getByRole('button', { name: '(put /flash/reorder)' });
    await sample.waitFor();
    await expectNoIssues('operation');
    await sample.click();
    // The fields of the dialog lack attributes for screen readers.
    await expectNoIssues('dialog', SCALAR);
    const close = await page.locator('.app-exit-button').boundingBox();
    const header = await page.locator('header').first().boundingBox();
    expect(close?.y).toBeGreaterThan(header?.height ?? Infinity);
    await send();
    await page.getByRole('region', { name: 'Response' }).getByText('"success"').waitFor();

    expectNoProblems();
  },
);

test.each(['vendor/api-reference.js', 'openapi.json'])(
  'signs in before %s is loaded, and shows a message if it cannot be loaded',
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

test('shows the guides, with commands that work on this stack', async () => {
  await open();

  const text = await page.locator('#reference').innerText();
  const [, client = ''] = /npm install .*(http\S+)/.exec(text) ?? [];

  expect((await page.request.get(client)).status()).toBe(200);
  expect(text).toContain(`http://${getTestStack().authHost}/identitytoolkit`);
  expect(text).toContain('"password":"demo-password"');
  for (const guide of ['Authentication', 'Errors', 'Use the client']) {
    expect(text).toContain(guide);
  }
});

test('has one base address on the local stack, and no box of other client libraries', async () => {
  await open();

  const text = await page.locator('#reference').innerText();
  expect(text).toContain(`Base address: ${ORIGIN}/api. Public lists`);
  expect(text).not.toContain('Client Libraries');
  expect(text).toContain('Powered by Scalar');
});

test('has a header with the font and the colors of the reference', async () => {
  await open();
  const [header, reference] = await page.evaluate<
    string[][]
  >(`['header', '.scalar-app'].map((selector) => {
    const { fontFamily, color, backgroundColor } = getComputedStyle(document.querySelector(selector));
    return [fontFamily, color, backgroundColor];
  })`);

  expect(header).toEqual(reference);
});

test('every prefilled request returns 200, is for a first page, and is not conditional', async () => {
  await open();
  await signIn();
  for (const { operationId, tags, method, path } of operations) {
    await page.goto(`${ORIGIN}/#tag/${tags[0].toLowerCase()}/${method.toUpperCase()}${path}`);
    const response = await sendPrefilledRequest({ path, method });
    const result = [operationId, response.status(), await response.text()];
    expect(result).toEqual([operationId, 200, expect.any(String)]);
    expect(response.url()).not.toContain('cursor');
    expect(response.request().headers()).not.toHaveProperty('if-none-match');
    await page.keyboard.press('Escape');
  }
  expectNoProblems();
  // The dialog of a request takes some seconds on a slow machine.
}, 180_000);

const RESET = { path: '/notifications/reset-new-notifications', method: 'post' };

test('keeps the user signed in after a reload, until the user signs out', async () => {
  await open('#tag/notifications');
  await signIn();
  await page.reload();
  await expectSignedInAs('mara.voss@example.com');

  expect((await sendPrefilledRequest(RESET)).status()).toBe(200);
  await page.keyboard.press('Escape');
  await locateAccountSelect().selectOption('signed out');
  await expectSignedInAs('');
  expect((await sendPrefilledRequest(RESET)).status()).toBe(401);
});

test('shows the error of a failed sign-in', async () => {
  await open();
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => route.abort());
  const failure = page.locator('#failure');

  await locateAccountSelect().selectOption({ index: 1 });
  await failure.getByText('Sign-in failed (auth/network-request-failed).').waitFor();
  await expectSignedInAs('');
  await page.unrouteAll();
  await signIn();

  await expectEventually(() => failure.innerText(), '');
});

test('on a deployed page, sends the token that the reader has pasted', async () => {
  // Only a local stack has this file.
  await page.route('**/demo/local.json', (route) => route.fulfill({ status: 404 }));
  await open('#tag/notifications');
  const request = page.waitForRequest(`**/api${RESET.path}`);

  await page.locator('#reference').getByLabel('Bearer Token').first().fill('a-token');
  await sendPrefilledRequest(RESET);

  expect((await request).headers().authorization).toBe('Bearer a-token');
  for (const localElement of [locateAccountSelect(), page.getByText('Demo app')]) {
    await localElement.waitFor({ state: 'hidden' });
  }
});

test('has a field for the App Check token if the service enforces App Check', async () => {
  const headers = { 'X-Error-Code': 'app-check' };
  await page.route('**/api/artists', (route) => route.fulfill({ status: 403, headers }));
  await open();

  await page.locator('#reference').getByText('X-Firebase-AppCheck').last().waitFor();
  await expect(
    page.getByText('Selected Auth Type: idToken & app').waitFor(),
  ).resolves.toBeUndefined();
});
