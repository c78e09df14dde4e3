/** The demo app in a real browser, used by a visitor and by people with accounts, with Firebase's own SDK. */
import type { Route } from 'playwright-core';
import { getDemoAccount } from '../../demo/accounts.ts';
import { adminUpdateAccount } from '../support/accounts.ts';
import {
  expectEventually,
  expectNoLayoutOrA11yIssues,
  expectNoProblems,
  ORIGIN,
  page,
  setViewport,
  measureHorizontalOverflow,
  useBrowser,
  VIEWPORTS,
} from '../support/browser.ts';
import { getTestStack } from '../../dev/testing/testStack.ts';
import { createStackStore } from '../support/firestore.ts';

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

/** Shows a view, as somebody who is signed in or as a visitor. */
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

/** The ids of the pictures of a list, in their order on the page. */
async function idsIn(section: string, which = ''): Promise<string[]> {
  // While a card moves to its place, a copy of it is there.
  const card = `li${which}:not([data-dnd-placeholder])`;
  const cards = page.locator(`section:has(h2:has-text("${section}")) ${card}`);
  return cards.evaluateAll((elements: readonly { readonly dataset: { readonly id: string } }[]) =>
    elements.map(({ dataset }) => dataset.id),
  );
}

test.each(VIEWPORTS)(
  'works at %i, %s without errors, requests to other hosts, horizontal scrolling or accessibility problems',
  async (width, colorScheme) => {
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
  'the page of what is stored looks right at %i, %s',
  async (width, colorScheme) => {
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

const lost = (route: Route) => route.abort();
const noArtists = () => page.route('**/api/artists', lost);
const slowStart = () => page.route('**/demo/local.json', () => undefined);
const noAuth = () => page.route('**/identitytoolkit.googleapis.com/**', lost);
const chooseJun = () => press(/^Jun/);
const chooseStyle = () => page.getByLabel('Style').selectOption('maritime');
const resetCounter = () => press('Mark notifications as read');
const wait = () => Promise.resolve();
const OWN = 'My work|My week|Bookings';

type Act = () => Promise<unknown>;

test.each<[who: string, view: string, sees: string, notThere?: string, act?: Act, before?: Act]>([
  ['Jun', '', `Jun Takahashi|${OWN}|Messages`],
  ['Robin', '', 'Robin Adeyemi|Messages', OWN],
  ['Alder', '', 'Alder Street Tattoo|Messages', OWN],
  ['Robin', 'week', 'does not know your week', 'Save my week'],
  ['Petra', 'messages/conversation-mara-robin', 'This belongs to somebody else.', 'Try again'],
  ['Jun', 'messages', 'You have no new notifications.', '', resetCounter],
  ['a visitor', '', '1 artist|Callum Reid', 'Mara Voss', chooseStyle],
  ['a visitor', 'artists/artist-eli-marsh', 'Eli Marsh|Nothing here yet.'],
  ['a visitor', 'artists/%ff', 'There is no such page'],
  ['a visitor', 'messages/a', 'Sign in to read your messages.'],
  ['a visitor', 'week', 'My week|Wednesday', '', chooseJun],
  ['a visitor', '', 'The service cannot be reached. Please check', '', wait, noArtists],
  ['a visitor', '', 'Loading …', '', wait, slowStart],
  ['a visitor', 'sign-in', 'Signing in is not possible', '', chooseJun, noAuth],
])('%s at "%s" sees %s', async (who, view, sees, notThere = '', act, before) => {
  if (who !== 'a visitor') await signInAs(who);
  await before?.();
  await page.goto(`${DEMO}#/${view}`);
  await act?.();
  for (const text of sees.split('|')) await expectText(text);
  for (const text of notThere.split('|').filter(Boolean)) {
    expect(await page.getByText(text, { exact: true }).count()).toBe(0);
  }
});

test('survives names that are long, and facts that are missing', async () => {
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
  [503, 'unavailable', 'The service is busy. Please try again in a moment.', 'Show more'],
  [400, 'cursor-not-found', 'The list has changed meanwhile.', 'Load the list again'],
])('shows more of a list after %i %s, and once for a double click', async (...row) => {
  const [status, code, sentence, label] = row;
  await open('artists/artist-mara-voss');
  // Pressed while it reads, it does nothing.
  const more = page.locator('section:first-of-type > button:not([aria-busy=true])');
  await respondWithError('**/paginated?*cursor=*', status, code);
  await more.click();
  await expectText(sentence);
  await page.unrouteAll();
  await more.filter({ hasText: label }).waitFor();
  // The list again, from its first page.
  if (code === 'cursor-not-found') await more.click();
  await more.filter({ hasText: 'Show more' }).waitFor();
  for (let read = 24; read < 52; read += 24) {
    await more.dblclick();
    await page.locator(`section:first-of-type li:nth-child(${read + 1})`).waitFor();
    await page.waitForLoadState('networkidle');
  }

  const ids = await idsIn('Flash');
  expect([ids.length, new Set(ids).size]).toEqual([52, 52]);
  await more.waitFor({ state: 'hidden' });
  expect(await page.getByText('That did not work').count()).toBe(0);
});

test('opens a listing by keyboard, and returns to it', async () => {
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

const removeHours = () => press('Wednesday: remove these hours');
const addHours = () => press('Tuesday: add hours');
const deleteSession = () => press(/^Delete session 1/);
const showMore = () => press('Show more');
const earlier = () => press('Earlier messages');
const signOut = () => page.getByRole('button', { name: 'Sign out' }).press('Enter');
const changeTitle = async () => {
  await page.locator('summary').first().click();
  await page.getByLabel('Title').first().fill('Convention');
  await press('Save this time');
};

test.each<[who: string, view: string, what: string, act: Act, focused: string]>([
  ['a visitor', 'week', 'who signs in', chooseJun, 'main'],
  ['Petra', 'week', 'who signs out', signOut, 'main'],
  ['Petra', 'week', 'who removes hours', removeHours, '[aria-label="Wednesday: add hours"]'],
  ['Petra', 'week', 'who adds hours', addHours, '[aria-label="Tuesday, from"]'],
  ['Petra', 'week', 'who changes a title', changeTitle, '[aria-label="Change: Convention"]'],
  ['Mara', 'bookings', 'who deletes a session', deleteSession, '[aria-label^="Delete session 2"]'],
  ['a visitor', 'artists/artist-mara-voss', 'who sees more', showMore, 'li:nth-child(25) button'],
  ['Robin', 'messages/conversation-mara-robin', 'who reads on', earlier, 'li:first-child'],
])('%s at %s %s has the focus where it goes on', async (who, view, _what, act, focused) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await open(view, who === 'a visitor' ? undefined : who);
  await act();

  await expect(page.locator(`${focused}:focus`).waitFor()).resolves.toBeUndefined();
});

test('asks to sign in again when a session has ended', async () => {
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
  const store = createStackStore();

  async function fieldOf(path: string, field: string): Promise<unknown> {
    return (await store.get(path))?.[field];
  }

  async function storedOrder(): Promise<string[]> {
    const flash = Object.entries(await store.getAllDocuments()).filter(
      ([path, { artistId, isVisible }]) =>
        path.startsWith('flash/') && artistId === 'artist-jun-takahashi' && isVisible,
    );
    // Sorting is stable: documents of one order stay in the order of their ids.
    flash.sort(([, a], [, b]) => (a.order as number) - (b.order as number));
    return flash.map(([path]) => path.slice('flash/'.length));
  }

  test('saves a place changed by dragging, and leaves the place that another device has changed', async () => {
    await open(JUN, 'Jun');
    const [first = '', second = '', third = '', ...rest] = await idsIn('My flash');
    const last = rest.pop() ?? '';
    await store.set(`flash/${last}`, { ...(await store.get(`flash/${last}`)), order: -1 });
    const target = await page.locator('.picture').nth(2).boundingBox();

    await page.locator('.handle').first().hover();
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 90, (target?.y ?? 0) + 90, { steps: 9 });
    await page.locator(`.picture:nth-child(3)[data-id="${first}"]`).waitFor();
    await page.mouse.up();
    await expectText('The new order is saved.');

    await expectEventually(() => idsIn('My flash'), [second, third, first, ...rest, last]);
    expect(await storedOrder()).toEqual([last, second, third, first, ...rest]);
  });

  /** Moves the first listing behind the second one by keyboard. */
  async function moveByKeys(): Promise<void> {
    await page.locator('.handle').first().press('Space');
    await expectText('Picked up at place 1');
    await page.keyboard.press('ArrowRight');
    await expectText('Moved at place 2');
    await page.keyboard.press('Space');
  }

  test('saves a place changed by keyboard, and none where that is cancelled', async () => {
    await open(JUN, 'Jun');
    const [first = '', second = '', ...rest] = await idsIn('My flash');
    await moveByKeys();
    await expectText('The new order is saved.');
    const focused = '.handle:focus[aria-pressed=false]';
    const order = [second, first, ...rest];
    await page.locator(`[data-id="${first}"] ${focused}`).waitFor();
    await expectEventually(() => idsIn('My flash'), order);

    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await expectText('Moved at place 3');
    await page.keyboard.press('Escape');
    await expectText('Put back.');
    await page.locator(`li:nth-child(2) ${focused}`).waitFor();
    // Caches still have the former pages.
    await open('week');
    await open(JUN);

    await expectEventually(() => idsIn('My flash'), order);
    expect(await storedOrder()).toEqual(order);
  });

  test.each([
    [403, 'permission-denied', 'This belongs to somebody else.'],
    [404, 'not-found', 'Some of these are no longer there, so nothing was changed.'],
    [400, 'invalid-argument', 'This was not accepted. Please check what you entered.'],
    [
      500,
      'internal',
      'It may have been carried out all the same. If you ask for help, quote request-1.',
    ],
  ])('takes a move back after %i, and says why in words for people', async (...row) => {
    const [status, code, sentence] = row;
    await open(JUN, 'Jun');
    const before = await idsIn('My flash');
    await respondWithError('**/api/flash/reorder', status, code);

    await moveByKeys();
    await expectText(sentence);
    await page.locator(`li:first-child[data-id="${before[0] ?? ''}"]`).waitFor();

    await expectEventually(() => idsIn('My flash'), before);
    expect(await page.getByText(MESSAGE).count()).toBe(0);
    // Only what somebody may want to copy waits until it is closed.
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(status === 500 ? 1 : 0);
  });

  test.each(VIEWPORTS)(
    'has buttons at %i, %s that no notice covers',
    async (width, colorScheme) => {
      await setViewport(width, colorScheme);
      await open(JUN, 'Jun');
      // It is there before a notice is: else screen readers would not say it.
      expect(await page.locator('#notice').and(page.getByRole('status')).count()).toBe(1);
      await respondWithError('**/api/flash/mark-as-available', 403, 'permission-denied');
      await page.locator('.picture input').first().check();
      await press('Mark as available');
      await page.locator('#notice:not(:empty)').waitFor();

      // Playwright only clicks what nothing covers.
      const click = page.getByRole('button', { name: 'Mark as taken' }).click({ trial: true });
      await expect(click).resolves.toBeUndefined();
    },
  );

  test('marks the selected listings by a few keys, and undoes it', async () => {
    await open(JUN, 'Jun');
    const taken = await page.locator('.taken').count();
    const [first = '', second = ''] = await idsIn('My flash', ':not(:has(.taken))');
    for (const id of [first, second]) {
      await page.locator(`[data-id="${id}"] input`).focus();
      await page.keyboard.press('Space');
    }
    await expectText('2 selected. Press Enter to choose what to do.');
    for (const key of ['Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expectText('2 listings marked as taken.');
    expect(await fieldOf(`flash/${first}`, 'isAvailable')).toBe(false);
    await page.locator(`[data-id="${first}"]`, { hasText: 'Taken' }).waitFor();

    await page.locator('#notice button:focus').waitFor();
    await page.keyboard.press('Enter');
    await expectText('Undone.');
    await page.locator(`[data-id="${second}"] input:focus`).waitFor();
    expect(await fieldOf(`flash/${first}`, 'isAvailable')).toBe(true);
    await expectEventually(() => page.locator('.taken').count(), taken);
  });

  test('removes photos only after a confirmation', async () => {
    await open(JUN, 'Jun');
    const [first = '', ...rest] = await idsIn('My gallery');
    await page.locator(`[data-id="${first}"] input`).check();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await press('Remove');
    await expectText('1 selected');
    expect(await page.locator('#notice').innerText()).toBe('');

    page.once('dialog', (dialog) => void dialog.accept());
    await press('Remove');
    await expectText('1 photo removed.');

    await expectEventually(() => idsIn('My gallery'), rest);
    expect(await store.get(`gallery/${first}`)).toBeUndefined();
  });

  test('saves the week, asks about hours after midnight, and shows it after a reload', async () => {
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
    expect(await fieldOf(path, 'rollingDays')).toBe(14);
    expect(await fieldOf(path, 'weeklySlots')).toMatchObject({
      Monday: [{ startTime: '20:00', endTime: '08:00' }],
    });
  });

  test('changes time off, and deletes a session', async () => {
    await open('week', 'Jun');
    await page.locator('summary').first().click();
    await page.getByLabel('Title').first().fill('Convention');
    await press('Save this time');
    await expectText('Your time off is changed.');
    expect(await fieldOf('unavailableEvents/event-jun-takahashi-0', 'title')).toBe('Convention');

    await open('bookings');
    const rows = await page.locator('.rows li').count();
    page.once('dialog', (dialog) => void dialog.accept());
    await press('Delete session 2. Shading');
    await expectText('The session is deleted.');
    await page.reload();
    await expectEventually(() => page.locator('.rows li').count(), rows - 1);
    const sessions = (await fieldOf('bookings/booking-003', 'sessions')) as object[];
    expect(sessions).toHaveLength(3);
  });
});
