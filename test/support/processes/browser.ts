import { isDeepStrictEqual } from 'node:util';
import { source } from 'axe-core';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { getTestStack } from './testStack.ts';

const { CHROMIUM = '/usr/bin/chromium', SCREENSHOTS } = process.env;

/** The origin of the pages. */
export const ORIGIN = new URL(getTestStack().baseAddress).origin;

const DESKTOP = { width: 1440, height: 900 };

/** The viewports in which each page is checked: width and color scheme. */
export const VIEWPORTS = [
  { width: 1440, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

/** Timeout of a page: longer than any wait on a slow machine. */
const WAIT_MS = 3 * 60_000;

/** The page of the current test, in a fresh browser context. */
export let page: Page;

/** The errors of the page, and the other hosts to which it has sent requests. */
let pageProblems = createPageProblems();

let browser: Browser;

function createPageProblems() {
  return { errors: [] as string[], otherHosts: new Set<string>() };
}

/** Opens a page for each test of a file in Chromium: the program at `CHROMIUM`, or Debian's package. */
export function useBrowser(): void {
  beforeAll(async () => {
    const args = ['no-sandbox', 'disable-gpu', 'disable-quic', 'disable-background-networking'];
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: args.map((name) => `--${name}`),
    });
  });

  beforeEach(async () => {
    timeZoneSession = undefined;
    page = await browser.newPage({ viewport: DESKTOP, colorScheme: 'light', locale: 'en-GB' });
    page.setDefaultTimeout(WAIT_MS);
    const { errors, otherHosts } = (pageProblems = createPageProblems());
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin, host } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== ORIGIN) otherHosts.add(host);
    });
  });

  afterEach(async () => {
    // A route that still waits for a response would fail all tests of the file.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });
  afterAll(() => browser.close());
}

/** Sets the viewport and the color scheme of the page. A width of 320 is a window of 1280 pixels at 400 % zoom. */
export async function setViewport(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: width === 320 ? 225 : DESKTOP.height });
  await page.emulateMedia({ colorScheme });
}

let timeZoneSession: CDPSession | undefined;

/** Sets the time zone of the page: `Asia/Tokyo`. */
export async function setTimeZone(timezoneId: string): Promise<void> {
  // A session of Chromium's protocol that has ended no longer overrides the time zone.
  await timeZoneSession?.detach();
  timeZoneSession = await page.context().newCDPSession(page);
  await timeZoneSession.send('Emulation.setTimezoneOverride', { timezoneId });
}

/**
 * Expects that a value of the page becomes this one: pages show the result of an action in a later frame. The last difference
 * fails the test.
 */
export async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  let value = await read();
  while (!isDeepStrictEqual(value, expected) && Date.now() < deadline) {
    await page.evaluate('new Promise(requestAnimationFrame)');
    value = await read();
  }
  expect(value).toEqual(expected);
}

/** Expects that the page had no errors, and that it only sent requests to its own host and the Auth emulator. */
export function expectNoProblems(): void {
  expect(pageProblems.errors).toEqual([]);
  expect([...pageProblems.otherHosts]).toEqual([getTestStack().authHost]);
}

/**
 * Expects that a view of the page has no horizontal scrolling and no accessibility problems, also in forced colors. Elements
 * that match `except`, and in forced colors `exceptInForcedColors`, are not checked. If `SCREENSHOTS` names a folder, it saves a
 * screenshot there.
 */
export async function expectNoLayoutOrA11yIssues(
  view: string,
  except: readonly string[] = [],
  exceptInForcedColors = except,
): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect([view, await measureHorizontalOverflow()]).toEqual([view, 0]);
  expect(await findA11yViolations(except)).toEqual([]);
  expect(await findInvisibleInForcedColors(exceptInForcedColors)).toEqual([]);
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${view}.png` });
}

/** Measures how far the page can be scrolled horizontally, in pixels. */
export async function measureHorizontalOverflow(): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Finds elements that only their background makes visible: forced colors remove it. */
async function findInvisibleInForcedColors(except: readonly string[]): Promise<string[]> {
  const native = '[type=checkbox]';
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && !element.closest('${[native, ...except].join()}'))
    .filter((element) => {
      const { backgroundColor, borderStyle } = getComputedStyle(element);
      return borderStyle === 'none' && !/^rgba.* 0\\)$/.test(backgroundColor);
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 100))`);
}

/** Finds accessibility problems with axe. Returns the rule and the element of each problem. */
async function findA11yViolations(except: readonly string[]): Promise<string[]> {
  // The page's Content-Security-Policy would block a script element.
  await page.evaluate(source);
  // Wait for animations, because elements that fade in lack contrast. Endless animations, as of placeholders, do not matter.
  await page.evaluate(`(async () => {
    const getAnimations = () => document.getAnimations().filter(({ playState, effect }) =>
      playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
    while (getAnimations().length > 0) await Promise.allSettled(getAnimations().map(({ finished }) => finished));
  })()`);
  return page.evaluate<
    string[]
  >(`axe.run({ exclude: ${JSON.stringify(except)} }, { rules: { 'target-size': { enabled: true } } })
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
}
