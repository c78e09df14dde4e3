/** The demo app in a real browser, used by a visitor and by people with accounts, with Firebase's own SDK. */
import type { Route } from 'playwright-core';
import { getDemoAccount } from '../../demo/accounts.ts';
import { adminUpdateAccount } from '../support/requests/accounts.ts';
import {
  expectEventually,
  expectNoLayoutOrA11yIssues,
  expectNoProblems,
  ORIGIN,
  page,
  setTimeZone,
  setViewport,
  measureHorizontalOverflow,
  useBrowser,
  VIEWPORTS,
} from '../support/processes/browser.ts';
import { createStackClient } from '../support/processes/stackClient.ts';
import { getTestStack } from '../support/processes/testStack.ts';

useBrowser();

const DEMO = `${ORIGIN}/demo/`;
const JUN = 'artists/artist-jun-takahashi';
const THEO = 'artists/artist-theo-okafor';
/** Technical texts of errors, which users must not see. */
const MESSAGE = 'Send flashUpdates[3].order in the Authorization header.';

async function signInAs(name: string): Promise<void> {
  await page.goto(`${DEMO}#/sign-in`);
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Opens a view, after signing in as this user if there is one. */
async function open(view = '', name?: string): Promise<void> {
  if (name !== undefined) await signInAs(name);
  await page.goto(`${DEMO}#/${view}`);
  await page.locator('main:not([aria-busy]) h1').waitFor();
}

/** Responds to requests to these addresses with an error of the service. */
async function respondWithError(address: string, status: number, code: string): Promise<void> {
  const headers = { 'X-Error-Code': code, 'X-Request-Id': 'request-1' };
  await page.route(address, (route) =>
    route.fulfill({ status, headers, json: { message: MESSAGE } }),
  );
}

const press = (name: string | RegExp) =>
  page.locator('main, #notice').getByRole('button', { name }).first().click();
const expectText = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Reads the ids of the pictures of a list, in their order on the page. */
async function readIds(section: string, which = ''): Promise<string[]> {
  // While a card moves to its place, a copy of it is there.
  const card = `li${which}:not([data-dnd-placeholder])`;
  const cards = page.locator(`section:has(h2:has-text("${section}")) ${card}`);
  return cards.evaluateAll((elements: readonly { readonly dataset: { readonly id: string } }[]) =>
    elements.map(({ dataset }) => dataset.id),
  );
}

test.each(VIEWPORTS)(
  'each view at $width px, $colorScheme, has no errors, requests to other hosts, horizontal scrolling or accessibility problems',
  async ({ width, colorScheme }) => {
    await setViewport(width, colorScheme);
    await signInAs('Jun Takahashi');
    const views = ['', THEO, JUN, 'week', 'bookings', 'messages'];
    for (const view of [...views, 'messages/conversation-jun-robin', 'sign-in', 'nowhere']) {
      await open(view);
      if (view === JUN) await page.locator('.picture input').first().check();
      if (view === THEO) await page.locator('.picture .open').first().click();
      if (view === 'week') await page.locator('summary').first().click();
      await expectNoLayoutOrA11yIssues(
        `demo-${width}-${colorScheme}-${view.replace('/', '-') || 'home'}`,
      );
    }

    expectNoProblems();
  },
);

test.each(VIEWPORTS)(
  'the pages of stored documents at $width px, $colorScheme, have no horizontal scrolling or accessibility problems',
  async ({ width, colorScheme }) => {
    const { firestoreHost, projectId } = getTestStack();
    await setViewport(width, colorScheme);
    for (const view of ['', '/flash', '/users/artist-mara-voss', '?search=mara']) {
      await page.goto(
        `http://${firestoreHost}/projects/${projectId}/databases/(default)/documents${view}`,
      );
      await expectNoLayoutOrA11yIssues(`data-${width}-${colorScheme}${view.replace(/\W/g, '-')}`);
    }
  },
);

/** Lets requests to an address fail as if there were no connection. */
const disconnect = (address: string) => page.route(address, (route: Route) => route.abort());
/** Lets requests to an address wait. Returns a function that waits for some of them, and lets them continue. */
async function stall(address: string): Promise<(count: number) => Promise<void>> {
  const routes: Route[] = [];
  await page.route(address, (route) => void routes.push(route));
  return async (count) => {
    await expectEventually(() => Promise.resolve(routes.length), count);
    for (const route of routes) await route.continue();
  };
}
/** Lets each use of sessionStorage throw, and loads the page anew. */
async function blockSessionStorage(): Promise<void> {
  await page.addInitScript(
    `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })`,
  );
  await page.reload();
}
const AUTH_URL = '**/identitytoolkit.googleapis.com/**';
const OWN_PAGES = ['My work', 'My week', 'Bookings'];
const chooseJun = () => press(/^Jun/);

interface ViewCase {
  name: string;
  /** Nobody is signed in without it. */
  user?: string;
  view?: string;
  before?: () => Promise<unknown>;
  action?: () => Promise<unknown>;
  shown: string[];
  absent?: string[];
}

test.each<ViewCase>([
  {
    name: 'an artist sees links to the own pages and to messages',
    user: 'Jun',
    shown: ['Jun Takahashi', ...OWN_PAGES, 'Messages'],
  },
  {
    name: 'a client sees a link to messages only',
    user: 'Robin',
    shown: ['Robin Adeyemi', 'Messages'],
    absent: OWN_PAGES,
  },
  {
    name: 'a studio sees a link to messages only',
    user: 'Alder',
    shown: ['Alder Street Tattoo', 'Messages'],
    absent: OWN_PAGES,
  },
  {
    name: 'a client has no week to edit',
    user: 'Robin',
    view: 'week',
    shown: ['does not know your week'],
    absent: ['Save my week'],
  },
  {
    name: "another user's conversation shows an error that cannot be retried",
    user: 'Petra',
    view: 'messages/conversation-mara-robin',
    shown: ['This belongs to somebody else.'],
    absent: ['Try again'],
  },
  {
    name: 'notifications can be marked as read',
    user: 'Jun',
    view: 'messages',
    action: () => press('Mark notifications as read'),
    shown: ['You have no new notifications.'],
  },
  {
    name: 'the artists are filtered by style',
    action: () => page.getByLabel('Style').selectOption('maritime'),
    shown: ['1 artist', 'Callum Reid'],
    absent: ['Mara Voss'],
  },
  {
    name: 'an artist without work has empty lists',
    view: 'artists/artist-eli-marsh',
    shown: ['Eli Marsh', 'Nothing here yet.'],
  },
  {
    name: 'a malformed URL shows that there is no such page',
    view: 'artists/%ff',
    shown: ['There is no such page'],
  },
  {
    name: 'a conversation requires a sign-in',
    view: 'messages/a',
    shown: ['Sign in to read your messages.'],
  },
  {
    name: 'the requested view appears after the sign-in',
    view: 'week',
    action: chooseJun,
    shown: ['My week', 'Wednesday'],
  },
  {
    name: 'a view that cannot be loaded says that the service cannot be reached',
    before: () => disconnect('**/api/artists'),
    shown: ['The service cannot be reached. Please check'],
  },
  {
    name: 'a visitor who has never signed in is not told that a session has ended',
    before: () => respondWithError('**/api/artists', 401, 'unauthenticated'),
    shown: ['Please sign in.'],
    absent: ['Your session has ended. Please sign in again.'],
  },
  {
    name: 'a browser that blocks sessionStorage shows the week',
    user: 'Jun',
    view: 'week',
    before: blockSessionStorage,
    shown: ['My week', 'Time off'],
  },
  {
    name: 'a browser that blocks sessionStorage shows the bookings',
    user: 'Jun',
    view: 'bookings',
    before: blockSessionStorage,
    shown: ['The bookings of the demo data'],
  },
  {
    name: 'the page says that it is loading',
    before: () => stall('**/demo/local.json'),
    shown: ['Loading …'],
  },
  {
    name: 'a sign-in without a connection says so',
    view: 'sign-in',
    before: () => disconnect(AUTH_URL),
    action: chooseJun,
    shown: ['Signing in is not possible'],
  },
])('$name', async ({ user, view = '', before, action, shown, absent = [] }) => {
  if (user !== undefined) await signInAs(user);
  await before?.();
  await page.goto(`${DEMO}#/${view}`);
  await action?.();

  for (const text of shown) await expectText(text);
  for (const text of absent) expect(await page.getByText(text, { exact: true }).count()).toBe(0);
});

test('a view aborts its requests when the user leaves it', async () => {
  await stall('**/flash/artist/**');
  const started = page.waitForRequest('**/flash/artist/**');
  await page.goto(`${DEMO}#/${THEO}`);
  const request = await started;
  const failed = page.waitForEvent('requestfailed', {
    predicate: (failedRequest) => failedRequest === request,
    // Earlier than the client's own timeout.
    timeout: 15_000,
  });
  await page.goto(`${DEMO}#/sign-in`);

  expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
});

test('the link of the start page is the current one, also without a hash', async () => {
  await page.goto(DEMO);

  await expect(page.locator('#links [aria-current]').innerText()).resolves.toBe('Artists');
});

test('a view that was slow to load gets the focus from the view before it', async () => {
  await open();
  const release = await stall('**/flash/artist/**');
  await page.getByRole('link', { name: 'Mara Voss' }).press('Enter');
  await page.locator('main[aria-busy]').waitFor();
  await page.getByLabel('Style').focus();
  await release(1);

  await expect(page.locator('main:focus h1').waitFor()).resolves.toBeUndefined();
});

test('a view that is slow to load replaces the former one by a bar', async () => {
  await open();
  const release = await stall('**/flash/artist/**');
  await page.getByRole('link', { name: 'Mara Voss' }).click();
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();

  expect(await page.getByRole('heading', { name: 'Find your artist' }).isVisible()).toBe(false);
  expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
  await release(1);
  await expect(page.getByRole('heading', { name: 'Mara Voss' }).waitFor()).resolves.toBeUndefined();
});

test('the links of an artist are on one line at 390 px', async () => {
  await setViewport(390, 'light');
  await open('week', 'Jun');
  const tops = await page
    .locator('#links a')
    .evaluateAll((links: readonly { readonly offsetTop: number }[]) =>
      links.map(({ offsetTop }) => offsetTop),
    );

  expect(tops).toHaveLength(5);
  // The current one has a border.
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(5);
});

test('the focus stays where the user has moved it during a request', async () => {
  await open('week', 'Petra');
  const release = await stall('**/unavailable-events/**');
  await changeTitleOfTimeOff();
  const field = page.getByLabel('Days', { exact: true });
  await page.getByLabel('These hours apply').selectOption('rolling');
  await field.focus();
  await release(1);
  await expectText('Your time off is changed.');

  expect(await field.and(page.locator(':focus')).count()).toBe(1);
});

test('long names do not widen the page, and missing facts are omitted', async () => {
  await setViewport(320, 'light');
  await page.route('**/api/artists', async (route) => {
    const [first, second] = (await (await route.fetch()).json()) as { displayName: string }[];
    const json = [
      { ...first, displayName: 'x'.repeat(60) },
      { ...second, displayName: '' },
    ];
    await route.fulfill({ json });
  });
  await open();

  expect(await measureHorizontalOverflow()).toBe(0);
  const names = page.locator('main a');
  await expectEventually(() => names.allInnerTexts(), ['x'.repeat(60), 'Callum Reid']);
  await page.route('**/flash/artist/**', async (route) => {
    const sizes = [{ minSize: '2' }, { maxSize: '3', unit: 'in' }, {}];
    const flash = sizes.map((size, index) => ({ id: `flash-${index}`, size }));
    await route.fulfill({ json: { flash: [...flash, { id: 'x' }], hasMore: false, total: 4 } });
  });
  await page.getByRole('link', { name: 'xx' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.profile h1').waitFor();
  expect(await measureHorizontalOverflow()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none');
  const facts = await page.locator('.facts').allInnerTexts();
  expect(facts.map((text) => text.split('\n'))).toEqual([
    ['2', 'Taken'],
    ['3 in', 'Taken'],
    ['Taken'],
    ['Taken'],
  ]);
});

test.each([
  {
    status: 503,
    code: 'unavailable',
    sentence: 'The service is busy. Please try again in a moment.',
  },
  {
    status: 400,
    code: 'cursor-not-found',
    sentence: 'The list has changed meanwhile. It starts again from its first page.',
  },
])('Show more works after $code, and reads one page for a double click', async (row) => {
  const { status, code, sentence } = row;
  await open('artists/artist-mara-voss');
  // Pressed while it reads, it does nothing.
  const more = page.locator('section:first-of-type > button:not([aria-busy=true])');
  await respondWithError('**/paginated?*cursor=*', status, code);
  await more.click();
  await expectText(sentence);
  await page.unrouteAll();
  await more.filter({ hasText: 'Show more' }).waitFor();
  for (let read = 24; read < 52; read += 24) {
    await more.dblclick();
    await page.locator(`section:first-of-type li:nth-child(${read + 1})`).waitFor();
    await page.waitForLoadState('networkidle');
  }

  const ids = await readIds('Flash');
  expect([ids.length, new Set(ids).size]).toEqual([52, 52]);
  await more.waitFor({ state: 'hidden' });
  expect(await page.getByText('That did not work').count()).toBe(0);
});

test('a listing opens by keyboard, and the focus returns to it', async () => {
  await open('artists/artist-mara-voss');
  const dagger = page.getByRole('button', { name: 'Fresh off the sheet: dagger.' });
  await dagger.focus();
  await page.keyboard.press('Enter');
  const facts = await page.getByRole('dialog').innerText();
  const drawn = await page.getByRole('dialog').locator('img').getAttribute('src');
  await page.keyboard.press('Escape');

  for (const fact of [
    'Mara Voss',
    'traditional',
    '3 to 5 in',
    '3 time blocks',
    'leaves the sheet',
  ]) {
    expect(facts).toContain(fact);
  }
  expect(drawn).toMatch(/dagger\.svg$/);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await dagger.and(page.locator(':focus')).waitFor();
});

async function changeTitleOfTimeOff(): Promise<void> {
  await page.locator('summary').first().click();
  await page.getByLabel('Title').first().fill('Convention');
  await press('Save this time');
}

interface FocusCase {
  name: string;
  user?: string;
  view: string;
  action: () => Promise<unknown>;
  /** A selector of the element that then has the focus. */
  focused: string;
}

test.each<FocusCase>([
  { name: 'view after a sign-in', view: 'week', action: chooseJun, focused: 'main' },
  {
    name: 'view after a sign-out',
    user: 'Petra',
    view: 'week',
    action: () => page.getByRole('button', { name: 'Sign out' }).press('Enter'),
    focused: 'main',
  },
  {
    name: 'button to add hours after hours are removed',
    user: 'Petra',
    view: 'week',
    action: () => press('Wednesday: remove these hours'),
    focused: '[aria-label="Wednesday: add hours"]',
  },
  {
    name: 'start of added hours',
    user: 'Petra',
    view: 'week',
    action: () => press('Tuesday: add hours'),
    focused: '[aria-label="Tuesday, from"]',
  },
  {
    name: 'button of a time off that was changed',
    user: 'Petra',
    view: 'week',
    action: changeTitleOfTimeOff,
    focused: '[aria-label="Change: Convention"]',
  },
  {
    name: 'next session after one is deleted',
    user: 'Mara',
    view: 'bookings',
    action: () => press(/^Delete session 1/),
    focused: '[aria-label^="Delete session 2"]',
  },
  {
    name: 'first new listing after more are shown',
    view: 'artists/artist-mara-voss',
    action: () => press('Show more'),
    focused: 'li:nth-child(25) button',
  },
  {
    name: 'earliest message after earlier ones are shown',
    user: 'Robin',
    view: 'messages/conversation-mara-robin',
    action: () => press('Earlier messages'),
    focused: 'li:first-child',
  },
])('the focus moves to the $name', async ({ user, view, action, focused }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await open(view, user);
  await action();

  await expect(page.locator(`${focused}:focus`).waitFor()).resolves.toBeUndefined();
});

test('a session that has ended leads to the sign-in', async () => {
  await open('week', 'Petra Novak');
  // As `npm run seed` does.
  const { uid, password } = getDemoAccount('artist-petra-novak');
  await adminUpdateAccount('update', { localId: uid, password });
  await respondWithError('**/api/availability/*', 401, 'unauthenticated');
  await press('Save my week');

  await expectText('Your session has ended. Please sign in again.');
  await expectText('Sign in to see your week.');
});

describe('for an artist', () => {
  const store = createStackClient();

  async function readField(path: string, field: string): Promise<unknown> {
    return (await store.get(path))?.[field];
  }

  async function readStoredOrder(): Promise<string[]> {
    const flash = Object.entries(await store.getAllDocuments()).filter(
      ([path, { artistId, isVisible }]) =>
        path.startsWith('flash/') && artistId === 'artist-jun-takahashi' && isVisible,
    );
    // Sorting is stable: documents of one order stay in the order of their ids.
    flash.sort(([, a], [, b]) => (a.order as number) - (b.order as number));
    return flash.map(([path]) => path.slice('flash/'.length));
  }

  test('a listing is moved by dragging, and one that another device has moved keeps its place', async () => {
    await open(JUN, 'Jun');
    const [first = '', second = '', third = '', ...rest] = await readIds('My flash');
    const last = rest.pop() ?? '';
    await store.set(`flash/${last}`, { ...(await store.get(`flash/${last}`)), order: -1 });
    const target = await page.locator('.picture').nth(2).boundingBox();

    await page.locator('.handle').first().hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 90, (target?.y ?? 0) + 90, { steps: 9 });
    await page.locator(`.picture:nth-child(3)[data-id="${first}"]`).waitFor();
    await page.mouse.up();
    await expectText('The new order is saved.');

    await expectEventually(() => readIds('My flash'), [second, third, first, ...rest, last]);
    expect(await readStoredOrder()).toEqual([last, second, third, first, ...rest]);
  });

  /** Moves the first listing behind the second one by keyboard. */
  async function moveByKeys(): Promise<void> {
    await page.locator('.handle').first().press('Space');
    await expectText('Picked up at place 1');
    await page.keyboard.press('ArrowRight');
    await expectText('Moved at place 2');
    await page.keyboard.press('Space');
  }

  test('a listing is moved by keyboard, and stays at its place after Escape', async () => {
    await open(JUN, 'Jun');
    const [first = '', second = '', ...rest] = await readIds('My flash');
    await moveByKeys();
    await expectText('The new order is saved.');
    const focused = '.handle:focus[aria-pressed=false]';
    const order = [second, first, ...rest];
    await page.locator(`[data-id="${first}"] ${focused}`).waitFor();
    await expectEventually(() => readIds('My flash'), order);

    await page.keyboard.press('Space');
    await expectText('Picked up at place 2');
    await page.keyboard.press('ArrowRight');
    await expectText('Moved at place 3');
    await page.keyboard.press('Escape');
    await expectText('Put back.');
    await page.locator(`li:nth-child(2) ${focused}`).waitFor();
    await open('week');
    await open(JUN);

    await expectEventually(() => readIds('My flash'), order);
    expect(await readStoredOrder()).toEqual(order);
  });

  test.each([
    { status: 403, code: 'permission-denied', sentence: 'This belongs to somebody else.' },
    {
      status: 404,
      code: 'not-found',
      sentence: 'Some of these are no longer there. Please reload the page.',
    },
    {
      status: 400,
      code: 'invalid-argument',
      sentence: 'This was not accepted. Please check what you entered.',
    },
    {
      status: 500,
      code: 'internal',
      sentence: 'It may have been carried out all the same. If you ask for help, quote request-1.',
    },
  ])('a move is reverted after $code, with the reason', async ({ status, code, sentence }) => {
    await open(JUN, 'Jun');
    const before = await readIds('My flash');
    await respondWithError('**/api/flash/reorder', status, code);

    await moveByKeys();
    await expectText(sentence);
    await page.locator(`li:first-child[data-id="${before[0] ?? ''}"]`).waitFor();

    await expectEventually(() => readIds('My flash'), before);
    expect(await page.getByText(MESSAGE).count()).toBe(0);
    // Only a notice with the id of a request stays until it is closed.
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(status === 500 ? 1 : 0);
  });

  test.each(VIEWPORTS)(
    'a notice at $width px, $colorScheme, covers no button',
    async ({ width, colorScheme }) => {
      await setViewport(width, colorScheme);
      await open(JUN, 'Jun');
      // It is there before a notice is: else screen readers would not say it.
      expect(await page.locator('#notice').and(page.getByRole('status')).count()).toBe(1);
      await respondWithError('**/api/flash/mark-as-available', 403, 'permission-denied');
      await page.locator('.picture input').first().check();
      await press('Mark as available');
      await page.locator('#notice:not(:empty)').waitFor();

      // Playwright scrolls to what it clicks, and only clicks what nothing covers.
      const last = page.locator('.picture input').last();
      for (const name of ['Sign out', 'Mark as taken'])
        await page.getByRole('button', { name }).click({ trial: true });
      await expect(last.click({ trial: true })).resolves.toBeUndefined();
    },
  );

  // In the low window of the last viewport, there is only room for the notice.
  test.each(VIEWPORTS.slice(0, -1))(
    'a long notice at $width px, $colorScheme, leaves the button that was pressed in view',
    async ({ width, colorScheme }) => {
      await setViewport(width, colorScheme);
      await open('week', 'Jun');
      await respondWithError('**/api/availability/*', 500, 'internal');
      const button = page.getByRole('button', { name: 'Save my week' });
      // The notice appears at the end of the window.
      await button.evaluate('(button) => button.scrollIntoView({ block: "end" })');
      await button.click();
      const notice = page.locator('#notice:not(:empty)');

      await expectEventually(async () => {
        const [pressed, shown] = [await button.boundingBox(), await notice.boundingBox()];
        return pressed && shown && pressed.y >= 0 && pressed.y + pressed.height <= shown.y;
      }, true);
    },
  );

  test('selected listings are marked by a few keys, and marked back by Undo', async () => {
    await open(JUN, 'Jun');
    const taken = await page.locator('.taken').count();
    const [first = '', second = ''] = await readIds('My flash', ':not(:has(.taken))');
    for (const id of [first, second]) {
      await page.locator(`[data-id="${id}"] input`).focus();
      await page.keyboard.press('Space');
    }
    await expectText('2 selected. Press Enter to choose what to do.');
    for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expectText('2 listings marked as taken.');
    expect(await readField(`flash/${first}`, 'isAvailable')).toBe(false);
    await page.locator(`[data-id="${first}"]`, { hasText: 'Taken' }).waitFor();

    await page.locator('#notice button:focus').waitFor();
    await page.keyboard.press('Enter');
    await expectText('Undone.');
    await page.locator(`[data-id="${second}"] input:focus`).waitFor();
    expect(await readField(`flash/${first}`, 'isAvailable')).toBe(true);
    await expectEventually(() => page.locator('.taken').count(), taken);
  });

  test('listings can be selected and moved while others are marked', async () => {
    await open(JUN, 'Jun');
    const boxes = page.locator('section', { hasText: 'My flash' }).getByRole('checkbox');
    // Screen readers only announce changes of a status that was there before.
    expect(await page.locator('.selection').getByRole('status').count()).toBe(2);
    const release = await stall('**/flash/mark-as-unavailable');
    await boxes.nth(4).check();
    await press('Mark as taken');
    await boxes.nth(5).check();
    await moveByKeys();
    await expectText('The new order is saved.');
    await release(1);

    await expectText('1 listing marked as taken.');
    await expectText('1 selected.');
    expect(await boxes.nth(5).isChecked()).toBe(true);
  });

  test('a notice with Undo stays when the view changes, and another notice goes', async () => {
    await open(JUN, 'Jun');
    const taken = await page.locator('.taken').count();
    const [first = ''] = await readIds('My flash', ':not(:has(.taken))');
    await page.locator(`[data-id="${first}"] input`).check();
    await press('Mark as taken');
    await expectText('1 listing marked as taken.');
    await open('week');
    await press('Undo');
    await expectText('Undone.');
    expect(await readField(`flash/${first}`, 'isAvailable')).toBe(true);

    await open(JUN);
    expect(await page.locator('#notice').innerText()).toBe('');
    await expectEventually(() => page.locator('.taken').count(), taken);
  });

  test('sessions that are deleted at the same time are all gone', async () => {
    await open('bookings', 'Mara');
    const rows = page.locator('.rows li');
    const count = await rows.count();
    const release = await stall('**/bookings/**');
    page.on('dialog', (dialog) => void dialog.accept());
    await press(/^Delete session 1/);
    await press(/^Delete session 2/);
    await release(2);

    await expectEventually(() => rows.count(), count - 2);
  });

  test('photos are only removed after a confirmation', async () => {
    await open(JUN, 'Jun');
    const [first = '', ...rest] = await readIds('My gallery');
    await page.locator(`[data-id="${first}"] input`).check();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await press('Remove');
    await expectText('1 selected');
    expect(await page.locator('#notice').innerText()).toBe('');

    page.once('dialog', (dialog) => void dialog.accept());
    await press('Remove');
    await expectText('1 photo removed.');

    await expectEventually(() => readIds('My gallery'), rest);
    expect(await store.get(`gallery/${first}`)).toBeUndefined();
  });

  const GONE = 'Some of these are no longer there. Please reload the page.';

  test.each([
    {
      name: 'a photo that is gone after a lost response counts as removed',
      photos: 1,
      lostResponses: 1,
      sentence: '1 photo removed.',
    },
    {
      name: 'a photo that was gone before cannot be removed',
      photos: 1,
      lostResponses: 0,
      sentence: GONE,
    },
    {
      name: 'photos of which one is gone after a lost response stay',
      photos: 2,
      lostResponses: 1,
      sentence: GONE,
    },
  ])('$name', async ({ photos, lostResponses, sentence }) => {
    await open(JUN, 'Jun');
    const before = await readIds('My gallery');
    let requests = 0;
    const json = { message: MESSAGE };
    await page.route('**/gallery/remove-photos', (route) => {
      requests += 1;
      if (requests <= lostResponses) return route.abort();
      return route.fulfill({ status: 404, headers: { 'X-Error-Code': 'not-found' }, json });
    });
    page.once('dialog', (dialog) => void dialog.accept());
    const selected = before.slice(0, photos);
    for (const id of selected) await page.locator(`[data-id="${id}"] input`).check();
    await press('Remove');
    await expectText(sentence);

    await expectEventually(
      () => readIds('My gallery'),
      sentence === GONE ? before : before.slice(photos),
    );
  });

  test('a saved week is shown after a reload; hours after midnight need a confirmation', async () => {
    await open('week', 'Jun');
    await press('Monday: add hours');
    await page.getByLabel('Monday, from').fill('20:00');
    await page.getByLabel('Monday, until').fill('08:00');
    await page.getByLabel('These hours apply').selectOption('rolling');
    await page.getByLabel('Days', { exact: true }).fill('14');
    let question = '';
    page.once('dialog', (dialog) => {
      question = dialog.message();
      void dialog.accept();
    });
    await press('Save my week');
    await expectText('Your week is saved.');
    await page.reload();
    await expectText('These are the hours that you saved in this tab');

    expect(question).toContain('Monday, 20:00 to 08:00');
    expect(await page.getByLabel('Monday, from').inputValue()).toBe('20:00');
    const path = 'availability/availability-jun-takahashi';
    expect(await readField(path, 'rollingDays')).toBe(14);
    expect(await readField(path, 'weeklySlots')).toMatchObject({
      Monday: [{ startTime: '20:00', endTime: '08:00' }],
    });
  });

  test('time off is changed, and a session is deleted', async () => {
    await open('week', 'Jun');
    await page.locator('summary').first().click();
    await page.getByLabel('Title').first().fill('Convention');
    await press('Save this time');
    await expectText('Your time off is changed.');
    expect(await readField('unavailableEvents/event-jun-takahashi-0', 'title')).toBe('Convention');

    await open('bookings');
    const rows = await page.locator('.rows li').count();
    page.once('dialog', (dialog) => void dialog.accept());
    await press('Delete session 2. Shading');
    await expectText('The session is deleted.');
    await page.reload();
    await expectEventually(() => page.locator('.rows li').count(), rows - 1);
    const sessions = (await readField('bookings/booking-003', 'sessions')) as object[];
    expect(sessions).toHaveLength(3);
  });

  /** Reads the body of the next request to an address, which does not reach the service. */
  async function interceptBody(address: string): Promise<() => Promise<unknown>> {
    const success = { json: { success: true, message: '' } };
    await page.route(address, (route) => route.fulfill(success));
    const request = page.waitForRequest(address);
    return async () => (await request).postDataJSON() as unknown;
  }

  interface TimeOffCase {
    name: string;
    timeZone: string;
    edits: Record<string, string>;
    changes: object;
  }

  test.each<TimeOffCase>([
    {
      name: 'keeps its times if only its title is edited, also in the hour that comes twice',
      timeZone: 'Europe/Berlin',
      edits: { Title: 'Convention' },
      changes: { title: 'Convention' },
    },
    {
      name: 'keeps its end if its start is edited, and gets the day of the time zone',
      timeZone: 'Asia/Tokyo',
      edits: { From: '2026-10-25T08:00' },
      changes: {
        startTime: Date.parse('2026-10-24T23:00Z'),
        date: Date.parse('2026-10-24T15:00Z'),
      },
    },
  ])('time off $name', async ({ timeZone, edits, changes }) => {
    const event = {
      id: 'event-jun-takahashi-0',
      title: 'Night shift',
      date: Date.parse('2026-10-25T00:00Z'),
      startTime: Date.parse('2026-10-25T01:30:15Z'),
      endTime: Date.parse('2026-10-25T02:00:45Z'),
    };
    await page.route('**/demo/local.json', async (route) => {
      const demo = (await (await route.fetch()).json()) as { accounts: object[] };
      const accounts = demo.accounts.map((account) => ({ ...account, events: [event] }));
      await route.fulfill({ json: { ...demo, accounts } });
    });
    await setTimeZone(timeZone);
    await open('week', 'Jun');
    const readBody = await interceptBody('**/edit-unavailable-event');
    await page.locator('summary').click();
    for (const [label, value] of Object.entries(edits))
      await page.locator('details').getByLabel(label).fill(value);
    await press('Save this time');

    expect(await readBody()).toEqual({ ...event, ...changes });
  });

  test('hours apply until midnight of the time zone, and the day stays if it is not edited', async () => {
    await setTimeZone('Asia/Tokyo');
    await open('week', 'Jun');
    await page.getByLabel('These hours apply').selectOption('specific');
    await page.locator('form.week').getByLabel('Until', { exact: true }).fill('2027-03-01');
    const effectiveUntil = Date.parse('2027-02-28T15:00Z');
    for (let save = 0; save < 2; save += 1) {
      const readBody = await interceptBody('**/update-availability');
      await press('Save my week');

      expect(await readBody()).toMatchObject({ effectiveUntil });
      await expectText('Your week is saved.');
      await setTimeZone('Europe/Berlin');
      await page.reload();
      await page.getByRole('heading', { name: 'My week' }).waitFor();
    }
  });
});
