/** The demo app in a real browser, used by a visitor and an artist, with Firebase's own SDK. */
import type { Page } from 'playwright-core';
import { demoAccount } from '../emulator/demo/accounts.ts';
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
import { stackStore } from '../support/firestore.ts';
import { testStack } from '../support/stack.ts';

useBrowser();

const DEMO = `${ORIGIN}/demo/`;

async function signInAs(page: Page, name: string): Promise<void> {
  await page.goto(`${DEMO}#/sign-in`);
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** The ids of the pictures of a list, in their order on the page. */
async function idsIn(page: Page, section: string): Promise<string[]> {
  const cards = await page.locator(`section:has(h2:has-text("${section}")) li`).all();
  return Promise.all(cards.map(async (card) => (await card.getAttribute('data-id')) ?? ''));
}

describe('the demo app', () => {
  const store = stackStore();

  async function fieldOf(path: string, field: string): Promise<unknown> {
    return (await store.get(path))?.[field];
  }

  test.each(WINDOWS)(
    'works on a %s without errors, requests to other hosts, horizontal scrolling or accessibility problems',
    async (name, window) => {
      const { errors, otherHosts } = await withPage(window, async (page) => {
        await signInAs(page, 'Jun Takahashi');
        const jun = 'artist-jun-takahashi';
        for (const [view, shown] of [
          ['', 'Find your artist'],
          [`artists/artist-theo-okafor`, 'Gallery'],
          [`artists/${jun}`, 'My gallery'],
          ['week', 'My week'],
          ['messages', 'Messages'],
          ['messages/conversation-jun-robin', 'Robin Adeyemi'],
        ] as const) {
          await page.goto(`${DEMO}#/${view}`);
          await page.getByRole('heading', { name: shown }).first().waitFor();
          await page.waitForLoadState('networkidle');
          expect(await sidewaysScroll(page)).toBe(0);
          expect(await barriers(page, 'body')).toEqual([]);
          await keepScreenshot(page, `demo-${name}-${view.replace('/', '-') || 'artists'}`);
        }
      });

      expect(errors).toEqual([]);
      expect(otherHosts).toEqual([testStack().authHost]);
    },
  );

  test('shows a visitor the artists of a style, and more of their flash on demand', async () => {
    await withPage(DESKTOP, async (page) => {
      await page.goto(DEMO);
      await page.getByLabel('Style').selectOption('traditional');
      await page.getByRole('link', { name: 'Mara Voss' }).click();
      await page.getByRole('heading', { name: 'Mara Voss' }).waitFor();
      const first = await idsIn(page, 'Flash');

      await page.getByRole('button', { name: 'Show more' }).first().click();
      await page.locator('section').first().locator('li').nth(first.length).waitFor();

      expect((await idsIn(page, 'Flash')).slice(0, first.length)).toEqual(first);
      const width =
        'document.querySelector(".picture img").decode().then(() => document.querySelector(".picture img").naturalWidth)';
      expect(await page.evaluate<number>(width)).toBeGreaterThan(0);
    });
  });

  test('stays signed in over a reload, with the same account', async () => {
    await withPage(DESKTOP, async (page) => {
      await signInAs(page, 'Robin Adeyemi');
      await page.goto(`${DEMO}#/messages/conversation-mara-robin`);
      await page.reload();

      await page.getByText('Earlier messages').waitFor();
      expect(await page.locator('.message').count()).toBe(30);
      await page.getByText('Earlier messages').click();
      await page.locator('.message').nth(59).waitFor();
    });
  });

  test('asks for an e-mail address and a password when it is deployed', async () => {
    await withPage(DESKTOP, async (page) => {
      // Only a local stack has this file.
      await page.route('**/demo/local.json', (route) => route.fulfill({ status: 404 }));
      const { email, password } = demoAccount('client-robin-adeyemi');
      await page.goto(`${DEMO}#/sign-in`);

      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill('another');
      await page.locator('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('There is no account with this e-mail and password.').waitFor();
      await page.getByLabel('Password').fill(password);
      await page.locator('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.goto(`${DEMO}#/messages`);
      await page.getByLabel('Open a conversation by its id').fill('conversation-mara-robin');
      await page.getByRole('button', { name: 'Open' }).click();

      await page.locator('.message').nth(29).waitFor();
      expect(await page.locator('.message').count()).toBe(30);
    });
  });

  test('asks a visitor of a signed-in page to sign in', async () => {
    await withPage(DESKTOP, async (page) => {
      await page.goto(`${DEMO}#/messages/conversation-mara-robin`);

      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.getByRole('status').innerText()).toMatch(/Sign in/);
    });
  });

  describe('for an artist', () => {
    async function ownWork(page: Page): Promise<string[]> {
      await signInAs(page, 'Jun Takahashi');
      await page.getByRole('link', { name: 'My work' }).click();
      await page.getByRole('heading', { name: 'My gallery' }).waitFor();
      return idsIn(page, 'My flash');
    }

    /** Drags the first picture to the place of the third. */
    async function dragFirstToThird(page: Page): Promise<void> {
      await page.locator('.handle').first().hover();
      await page.mouse.down();
      await page.locator('.picture').nth(1).hover();
      await page.locator('.picture').nth(2).hover();
      await page.mouse.up();
    }

    test('saves an order changed by dragging', async () => {
      await withPage(DESKTOP, async (page) => {
        const [first = '', second, third, ...rest] = await ownWork(page);

        await dragFirstToThird(page);
        await page.getByText('The new order is saved.').waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'My gallery' }).waitFor();

        expect(await idsIn(page, 'My flash')).toEqual([second, third, first, ...rest]);
        expect(await fieldOf(`flash/${first}`, 'order')).toBe(2);
      });
    });

    test('saves an order changed with the keyboard', async () => {
      await withPage(DESKTOP, async (page) => {
        const [first, second, ...rest] = await ownWork(page);

        await page.locator('.handle').first().press('ArrowRight');
        await page.getByText('The new order is saved.').waitFor();

        expect(await idsIn(page, 'My flash')).toEqual([second, first, ...rest]);
      });
    });

    test('restores the order if it could not be saved', async () => {
      await withPage(DESKTOP, async (page) => {
        const before = await ownWork(page);
        await page.route('**/api/flash/reorder', (route) =>
          route.fulfill({ status: 403, json: { message: 'That is not yours.' } }),
        );

        await dragFirstToThird(page);
        await page.getByText('That is not yours.').waitFor();

        expect(await idsIn(page, 'My flash')).toEqual(before);
      });
    });

    test('marks the selected listings', async () => {
      await withPage(DESKTOP, async (page) => {
        const [first = ''] = await ownWork(page);

        await page.locator('.picture input').first().check();
        await page.getByRole('button', { name: 'Mark as unavailable' }).click();
        await page.getByText('Mark as unavailable: done.').waitFor();

        expect(await fieldOf(`flash/${first}`, 'isAvailable')).toBe(false);
        expect(await page.locator('.picture').first().innerText()).toContain('Taken');
      });
    });

    test('removes photos after a confirmation', async () => {
      await withPage(DESKTOP, async (page) => {
        await ownWork(page);
        const [first = '', ...rest] = await idsIn(page, 'My gallery');
        page.on('dialog', (dialog) => void dialog.accept());

        await page.locator(`[data-id="${first}"] input`).check();
        await page.getByRole('button', { name: 'Remove' }).click();
        await page.getByText('Remove: done.').waitFor();

        expect(await idsIn(page, 'My gallery')).toEqual(rest);
        expect(await store.get(`gallery/${first}`)).toBeUndefined();
      });
    });

    test('saves the week', async () => {
      await withPage(DESKTOP, async (page) => {
        await signInAs(page, 'Jun Takahashi');
        await page.getByRole('link', { name: 'My week' }).click();
        await page.getByRole('button', { name: 'Monday: add hours' }).click();
        await page.getByLabel('Monday, from').fill('09:30');
        await page.getByLabel('These hours hold').selectOption('rolling');
        await page.getByLabel('Days', { exact: true }).fill('14');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Your week is saved.').waitFor();

        const path = 'availability/availability-jun-takahashi';
        expect(await fieldOf(path, 'rollingDays')).toBe(14);
        expect(await fieldOf(path, 'weeklySlots.Monday')).toEqual([
          { startTime: '09:30', endTime: '18:00' },
        ]);
      });
    });
  });
});
