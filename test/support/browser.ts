import { source } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { testStack } from './stack.ts';

const { CHROMIUM = '/usr/bin/chromium', SCREENSHOTS } = process.env;

/** Where the pages are. */
export const ORIGIN = new URL(testStack().baseAddress).origin;

/** How large a window is, and whether its user prefers dark pages. */
export interface Window {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: 'light' | 'dark';
}

export const DESKTOP: Window = { width: 1280, height: 900 };
export const PHONE: Window = { width: 390, height: 844 };
/** The windows in which each page must look right. */
export const WINDOWS: readonly (readonly [string, Window])[] = [
  ['desktop', DESKTOP],
  ['desktop-dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['phone', PHONE],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];

/** Longer than any step takes on the slowest machine: only a page that hangs reaches it. */
const WAIT_MS = 3 * 60_000;

let browser: Browser | undefined;

/** Chromium, at `CHROMIUM` or where Debian's package puts it, for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
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
  afterAll(() => browser?.close());
}

/** What went wrong while a page was used. */
export interface PageReport {
  readonly errors: readonly string[];
  /** The hosts that were asked, beside the one that serves the page. */
  readonly otherHosts: readonly string[];
}

/** Uses a page of a browser without any history; hands over what the console has said of errors and which hosts were asked. */
export async function withPage(
  window: Window,
  use: (page: Page) => Promise<void>,
): Promise<PageReport> {
  if (browser === undefined) throw new Error('Call useBrowser() in the file first.');
  const { colorScheme = 'light', ...viewport } = window;
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
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
    await use(page);
  } finally {
    await context.close();
  }
  hosts.delete(new URL(ORIGIN).host);
  return { errors, otherHosts: [...hosts] };
}

/** How far a page can be scrolled sideways, in pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Keeps a picture of a page, if `SCREENSHOTS` names a folder for them. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}

/** What axe finds that keeps people out, in a part of a page: a sentence for each. */
export async function barriers(page: Page, selector: string): Promise<string[]> {
  // Evaluated, not added as an element: the page's policy lets no other script in.
  await page.evaluate(source);
  return page.evaluate<string[]>(`axe.run('${selector}').then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ help, nodes }) => nodes.map(({ target }) => help + ': ' + target.join(' '))))`);
}
