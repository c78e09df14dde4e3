import { source } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { testStack } from './stack.ts';

const { CHROMIUM = '/usr/bin/chromium', SCREENSHOTS } = process.env;

/** The address of the pages. */
export const ORIGIN = new URL(testStack().baseAddress).origin;

/** The size of a window and its colour scheme. */
export interface Window {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: 'light' | 'dark';
}

export const DESKTOP: Window = { width: 1440, height: 900 };
/** The windows in which each page must look right. */
export const WINDOWS = [1440, 768, 390, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme): [string, Window] => [
    `${width}-${colorScheme}`,
    { width, height: 900, colorScheme },
  ]),
);

/** Only a page that hangs takes this long, even on a slow machine. */
const WAIT_MS = 3 * 60_000;

let browser: Browser | undefined;

/** Starts Chromium for the tests of a file: the one at `CHROMIUM`, or Debian's package. */
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

/** The problems of a page while it was used. */
export interface PageReport {
  readonly errors: readonly string[];
  /** The hosts that got requests, other than the one that serves the page. */
  readonly otherHosts: readonly string[];
}

/** Runs a test on a page in a fresh browser context, and returns console errors and the hosts that got requests. */
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

/** How far a page can be scrolled horizontally, in pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Saves a screenshot of a page, if `SCREENSHOTS` names a folder. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}

/** The accessibility problems that axe finds in a page: the rule and the element of each. */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated, not added as a script element: the page's Content-Security-Policy would block it.
  await page.evaluate(source);
  // What is fading in has no contrast yet. Endless animations, such as that of a placeholder, do not count.
  await page.evaluate(`(async () => {
    const running = () => document.getAnimations().filter(({ playState, effect }) =>
      playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
    while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished));
  })()`);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
}
