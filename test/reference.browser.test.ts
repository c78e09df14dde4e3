/** The reference page in a real browser: Chromium, at `CHROMIUM` or where Debian's package puts it. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { deployedEndpoints } from './support/deployMap.ts';
import { testStack } from './support/stack.ts';

const { CHROMIUM = '/usr/bin/chromium', SCREENSHOTS } = process.env;
const ORIGIN = new URL(testStack().baseAddress).origin;

/** Longer than any step takes on the slowest machine: only a page that hangs reaches it. */
const STEP_LIMIT_MS = 3 * 60_000;

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    timeout: STEP_LIMIT_MS,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

afterAll(() => browser.close());

/** Opens the page, and hands over what the console has said of errors and which hosts were asked. */
async function withPage(
  size: { width: number; height: number },
  use: (page: Page) => Promise<void>,
): Promise<{ errors: string[]; hosts: Set<string> }> {
  const page = await browser.newPage({ viewport: size });
  page.setDefaultTimeout(STEP_LIMIT_MS);
  const errors: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host);
  });
  try {
    await page.goto(ORIGIN);
    await page.waitForSelector('.opblock');
    await use(page);
  } finally {
    await page.close();
  }
  return { errors, hosts };
}

/** Opens an operation, sends its example and gives the status of the answer. */
async function tryOut(page: Page, functionId: string, fill: Record<string, string>) {
  const operation = page.locator(`.opblock[id$="-${functionId}"]`);
  await operation.locator('.opblock-summary-control').click();
  for (const [name, value] of Object.entries(fill)) {
    await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table .response');
  await answer.first().waitFor();
  return {
    status: await answer.locator('.response-col_status').first().innerText(),
    text: await answer.locator('.highlight-code').first().innerText(),
  };
}

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

test.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('shows every operation on a %s, asks no other host and logs no error', async (name, size) => {
  const { errors, hosts } = await withPage(size, async (page) => {
    expect(await page.locator('.opblock').count()).toBe(deployedEndpoints.length);
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBeLessThanOrEqual(0);
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
  });

  expect(errors).toEqual([]);
  expect(hosts).toEqual(new Set([new URL(ORIGIN).host]));
});

test('sends a public request and a signed-in one from the page', async () => {
  const { errors } = await withPage(DESKTOP, async (page) => {
    const artists = await tryOut(page, 'artists-list', {});
    expect(artists.status).toBe('200');
    expect(artists.text).toContain('artist-mara-voss');

    await page.locator('#sign-in button').click();
    await page.getByText('Signed in as mara.voss@example.com.').waitFor();
    const messages = await tryOut(page, 'conversations-getMessages', {
      conversationId: 'conversation-mara-robin',
    });
    expect(messages.status).toBe('200');
    expect(messages.text).toContain('"messages"');
  });

  expect(errors).toEqual([]);
});
