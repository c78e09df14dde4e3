/** The reference page in a real browser. */
import { readFileSync } from 'node:fs';
import {
  expectGoodLooks,
  expectNoProblems,
  ORIGIN,
  page,
  setWindow,
  useBrowser,
  WINDOWS,
} from '../support/browser.ts';
import { unsignedToken } from '../../dev/google/idTokens.ts';
import { testStack } from '../support/testStack.ts';

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

async function signIn(): Promise<void> {
  await page.locator('#demo-account button').click();
  await page.getByText('Signed in as Mara Voss').waitFor();
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

/** What axe finds in Scalar's own elements: whether a rule is broken there is not ours to decide. */
const SCALARS_OWN = [
  // The copy buttons have no name.
  /^button-name: (button\[aria-controls="scalar-refs-|\.top-1)/,
  // "Show more" is named "Show all flash endpoints".
  /^label-content-name-mismatch: .*(endpoints"\]|\.show-more)/,
  // A tag's list of endpoints scrolls on a phone.
  /^scrollable-region-focusable: ul\[aria-label="\w+ endpoints"\]$/,
  // In the dialog: the editor of the body, the fields of headers, and the buttons with more information.
  /^aria-input-field-name: \.cm-content$/,
  /^aria-required-attr: .*\.code-input-lite__editor/,
  /^aria-prohibited-attr: #headlessui-popover-button-scalar-client-/,
];

test.each(WINDOWS)(
  'works at %i, %s without errors, requests to other hosts, horizontal scrolling or our own accessibility problems',
  async (width, colorScheme) => {
    const look = (view: string) =>
      expectGoodLooks(`reference-${width}-${colorScheme}-${view}`, SCALARS_OWN);
    await setWindow(width, colorScheme);
    await open();
    await look('start');
    await signIn();
    await open('#models');
    await look('models');
    await open('#tag/flash/PUT/flash/reorder');
    const sample = page.getByRole('button', { name: '(put /flash/reorder)' });
    await sample.waitFor();
    await look('operation');
    // Scalar moves the focus to the section.
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('none');
    await sample.click();
    await look('dialog');
    const close = await page.locator('.app-exit-button').boundingBox();
    const bar = await page.locator('#bar').boundingBox();
    expect(close?.y).toBeGreaterThan(bar?.height ?? Infinity);
    // Nothing covers the start of the base address.
    const address = page.getByRole('button', { name: `Server: ${ORIGIN}/api` }).last();
    await address.click({ trial: true, position: { x: 8, y: 8 }, timeout: 20_000 });
    await send();
    const response = page.getByRole('region', { name: 'Response' }).getByText('"success"');
    await response.waitFor();
    const { y, height } = (await response.boundingBox()) ?? { y: Infinity, height: 0 };
    expect(y + height).toBeLessThan(page.viewportSize()?.height ?? 0);

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
    expect(await page.getByText('Loading the reference').isVisible()).toBe(false);
  },
);

test('has the guides, with commands that work on this stack', async () => {
  await open();

  const text = await page.locator('#reference').innerText();
  const [, client = ''] = /npm install (\S+)/.exec(text) ?? [];

  expect((await page.request.get(client)).status()).toBe(200);
  expect(text).toContain(`http://${testStack().authHost}/identitytoolkit`);
  expect(text).toContain('"password":"demo-password"');
  for (const guide of ['Get a token', 'Errors and retries', 'Use the client']) {
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
  await page.getByText('Signed in as Mara Voss').waitFor();

  expect((await testRequest(RESET)).status()).toBe(200);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('#demo-account').waitFor();
  expect((await testRequest(RESET)).status()).toBe(401);
});

test('shows the token in the panel and in the examples, and renews it', async () => {
  await open(`#tag/notifications/POST${RESET.path}`);
  const panel = page.locator('#reference').getByLabel('Bearer Token').first();
  const example = (authorization: string) =>
    page.locator('#reference pre', { hasText: RESET.path }).filter({ hasText: authorization });
  await example('Bearer YOUR_SECRET_TOKEN').waitFor();

  await signIn();
  await example('Bearer eyJ').waitFor();
  const token = await panel.inputValue();
  await example(`Bearer ${token}`).waitFor();
  const renewed = unsignedToken({ exp: 9e9 });
  await page.route('**/securetoken.googleapis.com/**', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as object;
    await route.fulfill({ response, json: { ...json, access_token: renewed } });
  });
  await page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
  const sent = (await testRequest(RESET)).request().headers();
  await example(`Bearer ${renewed}`).waitFor();

  expect(await panel.inputValue()).toBe(renewed);
  expect(sent.authorization).toBe(`Bearer ${renewed}`);
});

test('says why a sign-in has failed', async () => {
  await open();
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => route.abort());
  const failure = page.locator('#sign-in-failed');

  await page.locator('#demo-account button').click();
  await failure.getByText('You are not signed in (auth/network-request-failed).').waitFor();
  await page.unrouteAll();
  await signIn();

  expect(await failure.innerText()).toBe('');
});

test('accepts a token when it is deployed, and explains where to get one', async () => {
  // Only a local stack has this file.
  await page.route('**/demo/local.json', (route) => route.fulfill({ status: 404 }));
  await open('#tag/notifications');
  const sent = page.waitForRequest(`**/api${RESET.path}`);
  const token = unsignedToken({ exp: Date.now() / 1000 + 3600 });
  const use = async (text: string) => {
    await page.locator('#own-token input').fill(text);
    await page.getByRole('button', { name: 'Use it' }).click();
  };

  await use('a-token');
  await page.getByText('This is not an ID token.').waitFor();
  await use(unsignedToken({ exp: 1 }));
  await page.getByText('This token has expired').waitFor();
  await use(`Bearer ${token}`);
  await testRequest(RESET);

  expect((await sent).headers().authorization).toBe(`Bearer ${token}`);
  for (const local of ['#demo-account', '[href="/demo/"]']) {
    expect(await page.locator(local).isVisible()).toBe(false);
  }
});
