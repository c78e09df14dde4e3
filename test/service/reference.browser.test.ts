/** The reference page in a real browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import {
  barriers,
  DESKTOP,
  keepScreenshot,
  ORIGIN,
  sidewaysScroll,
  useBrowser,
  WINDOWS,
  withPage,
} from '../support/browser.ts';
import { testStack } from '../support/stack.ts';

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

async function open(page: Page, hash = ''): Promise<void> {
  await page.goto(`${ORIGIN}/${hash}`);
  await page.getByRole('heading', { name: 'Tattoo marketplace API' }).waitFor();
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#demo-account button').click();
  await page.getByText('Signed in as Mara Voss').waitFor();
}

/** Presses "Test request" of an operation, and sends the prefilled request; returns the response. */
async function testRequest(page: Page, { path, method }: { path: string; method: string }) {
  const button = page.locator('button', { hasText: `(${method} ${path})` });
  await button.click();
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
  'works at %s without errors, requests to other hosts, horizontal scrolling or our own accessibility problems',
  async (name, window) => {
    const { errors, otherHosts } = await withPage(window, async (page) => {
      const look = async (view: string) => {
        await page.waitForLoadState('networkidle');
        expect([view, await sidewaysScroll(page)]).toEqual([view, 0]);
        const ours = (one: string) => !SCALARS_OWN.some((known) => known.test(one));
        expect((await barriers(page)).filter(ours)).toEqual([]);
        await keepScreenshot(page, `reference-${name}-${view}`);
      };
      await open(page);
      await look('start');
      await signIn(page);
      await open(page, '#models');
      await look('models');
      await open(page, '#tag/flash/PUT/flash/reorder');
      const sample = page.getByRole('button', { name: '(put /flash/reorder)' });
      await sample.waitFor();
      await look('operation');
      // Scalar moves the focus to the section.
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe(
        'none',
      );
      await sample.click();
      await look('dialog');
      const close = await page.locator('.app-exit-button').boundingBox();
      const bar = await page.locator('#bar').boundingBox();
      expect(close?.y).toBeGreaterThan(bar?.height ?? Infinity);
    });

    expect(errors).toEqual([]);
    expect(otherHosts).toEqual([testStack().authHost]);
  },
);

test('has the guides, with commands that work on this stack', async () => {
  await withPage(DESKTOP, async (page) => {
    await open(page);

    const text = await page.locator('#reference').innerText();

    expect(text).toContain(`http://${testStack().authHost}/identitytoolkit`);
    expect(text).toContain('"password":"demo-password"');
    for (const guide of ['Get a token', 'Errors and retries', 'Use the client']) {
      expect(text).toContain(guide);
    }
  });
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  'sends the prefilled request of %s, and gets 200',
  async (_name, operation) => {
    const { errors, otherHosts } = await withPage(DESKTOP, async (page) => {
      await open(page);
      await signIn(page);
      const { tags, method, path } = operation;
      await page.goto(`${ORIGIN}/#tag/${tags[0].toLowerCase()}/${method.toUpperCase()}${path}`);

      const response = await testRequest(page, operation);

      expect([response.status(), await response.text()]).toEqual([200, expect.any(String)]);
    });

    expect(errors).toEqual([]);
    expect(otherHosts).toEqual([testStack().authHost]);
  },
);

test('stays signed in over a reload, until the user signs out', async () => {
  await withPage(DESKTOP, async (page) => {
    await open(page, '#tag/notifications');
    await signIn(page);
    await page.reload();
    await page.getByText('Signed in as Mara Voss').waitFor();
    const reset = { path: '/notifications/reset-new-notifications', method: 'post' };

    expect((await testRequest(page, reset)).status()).toBe(200);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#demo-account').waitFor();
    expect((await testRequest(page, reset)).status()).toBe(401);
  });
});

test('accepts a token when it is deployed, and explains where to get one', async () => {
  await withPage(DESKTOP, async (page) => {
    // Only a local stack has this file.
    await page.route('**/demo/local.json', (route) => route.fulfill({ status: 404 }));
    await open(page, '#tag/notifications');
    const sent = page.waitForRequest('**/api/notifications/reset-new-notifications');

    await page.locator('#own-token input').fill('a-token');
    await page.getByRole('button', { name: 'Use it' }).click();
    await testRequest(page, {
      path: '/notifications/reset-new-notifications',
      method: 'post',
    });

    expect((await sent).headers().authorization).toBe('Bearer a-token');
    expect(await page.locator('#demo-account').isVisible()).toBe(false);
  });
});
