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

test.each(WINDOWS)(
  'works on a %s without errors, requests to other hosts, horizontal scrolling or our own accessibility problems',
  async (name, window) => {
    const { errors, otherHosts } = await withPage(window, async (page) => {
      await open(page);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await barriers(page, '#bar')).toEqual([]);
      await keepScreenshot(page, `reference-${name}`);
    });

    expect(errors).toEqual([]);
    expect(otherHosts).toEqual([]);
  },
);

test('has the guides and the operations', async () => {
  await withPage(DESKTOP, async (page) => {
    await open(page);

    const titles = await page.locator('#reference h1, #reference h2').allInnerTexts();

    expect(titles.map((title) => title.trim())).toEqual(
      expect.arrayContaining([
        'Get a token',
        'Read a list in pages',
        'Errors and retries',
        'Caching',
        'Limits',
        'Versions',
        'Use the client',
      ]),
    );
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
