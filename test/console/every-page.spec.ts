import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ConsoleWindow, Look } from './support/test-browser.js';
import { describeInBrowser } from './support/browser.js';
import { hideFocus, showsFocus } from './support/focus.js';
import { playHostileScene, type HostileScene, type ShownPage } from './support/pages-of-scene.js';
import { TestConsole } from './support/test-console.js';

/** What would be there, or have happened, if a name, topic or text had been taken for markup. */
const acted = `[...document.querySelectorAll('main img, main script, main iframe, main object, main [onload], main [onclick], a[href^="javascript"]')]
  .map(({ outerHTML }) => outerHTML)
  .concat(document.title === '1' ? ['a script ran'] : [])`;

/** What is wrong with a page, by what is looked for. */
interface Wrong {
  readonly barriers: readonly string[];
  readonly scrollsSideways: boolean;
  readonly acted: readonly string[];
}

const nothing: Wrong = { barriers: [], scrollsSideways: false, acted: [] };

async function wrongWith(window: ConsoleWindow): Promise<Wrong> {
  return {
    barriers: await window.barriers(),
    scrollsSideways: await window.scrollsSideways(),
    acted: await window.page.evaluate<string[]>(acted),
  };
}

/** Whatever can be used with a pointer on a page, each known again by its place in the list. */
const toBeReached = `(() => {
  const usable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  window.usable = [...document.querySelectorAll('main ' + usable.replaceAll(', ', ', main '))].filter((element) =>
    element.checkVisibility() && !element.disabled && element.tabIndex >= 0);
  return window.usable.map((element) => element.outerHTML.slice(0, 120));
})()`;

/** Which of them has the focus; -1: none. */
const focused = 'window.usable.indexOf(document.activeElement)';

/** What of a page the Tab key does not come to, or without showing it. */
async function beyondTheKeyboard({ page }: ConsoleWindow): Promise<readonly string[]> {
  const all = await page.evaluate<string[]>(toBeReached);
  const missing = new Set(all.keys());
  await page.evaluate("document.querySelector('main').focus()");
  for (let press = 0; press < 2 * all.length + 20 && missing.size > 0; press += 1) {
    await page.keyboard.press('Tab');
    const index = await page.evaluate<number>(focused);
    if (missing.has(index) && (await showsFocus(page))) missing.delete(index);
  }
  return [...missing].map((index) => all[index]!);
}

describeInBrowser('Every page of the console', () => {
  let testConsole: TestConsole;
  let scene: HostileScene;

  const credentialsOf = (role: 'owner' | 'auditor' | 'member'): Look['credentials'] =>
    ({ owner: testConsole.owner, auditor: scene.auditor, member: scene.member })[role].credentials;

  /** Comes to a page as a link would, and waits until it shows what it has. */
  const come = async (window: ConsoleWindow, { path, heading }: Omit<ShownPage, 'isFor'>): Promise<void> => {
    await window.goTo(path);
    await window.heading(heading);
    await window.page.locator('main .late').first().waitFor({ state: 'detached', timeout: 240_000 });
  };

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    scene = await playHostileScene(testConsole);
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('is among those that are tried here', async () => {
    const window = await testConsole.open('/');
    await window.heading('Overview');
    const links = await window.page.evaluate<string[]>(
      '[...document.querySelectorAll("nav a")].map((link) => link.getAttribute("href"))',
    );
    const tried = scene.pages.map(({ path }) => `/console${path}`);
    expect(links.filter((link) => !tried.includes(link))).toEqual([]);
    // Pages that are not in the navigation have a path all the same.
    const source = await readFile('console/src/pages.ts', 'utf8');
    const paths = [...source.matchAll(/(?:path: |^export const [A-Z_]+ = )'(\/[^':]*?)(?:\/:[^']*)?'/gm)];
    const listed = paths.map(([, path]) => `/console${path}`);
    expect(listed.length).toBe(source.match(/^ {4}path: /gm)!.length);
    expect(listed.filter((path) => !tried.includes(path))).toEqual([]);
  });

  it.each([
    ['owner', 'desk', 'light'],
    ['owner', 'desk', 'dark'],
    ['owner', 'phone', 'light'],
    ['owner', 'phone', 'dark'],
    ['auditor', 'desk', 'light'],
    ['auditor', 'phone', 'dark'],
    ['member', 'desk', 'dark'],
    ['member', 'phone', 'light'],
  ] as const)(
    'bars nobody, fits, and takes no text for markup: as %s, on a %s, %s',
    async (role, width, scheme) => {
      const window = await testConsole.open('/', { credentials: credentialsOf(role), width, scheme });
      const wrong: Record<string, Wrong> = {};
      for (const page of scene.pages) {
        const isAllowed =
          role === 'owner' || page.isFor === 'everybody' || (role === 'auditor' && page.isFor === 'auditors');
        await come(window, isAllowed ? page : { ...page, heading: 'Not for this account' });
        wrong[page.path] = await wrongWith(window);
      }
      expect(wrong).toEqual(Object.fromEntries(scene.pages.map(({ path }) => [path, nothing])));
      expect(window.faults).toEqual([]);
    },
    300_000,
  );

  it('can be used by keyboard: every control gets the focus, which is visible', async () => {
    const window = await testConsole.open('/');
    const beyond: Record<string, readonly string[]> = {};
    for (const page of scene.pages) {
      await come(window, page);
      beyond[page.path] = await beyondTheKeyboard(window);
    }
    expect(beyond).toEqual(Object.fromEntries(scene.pages.map(({ path }) => [path, []])));
  });

  it('would be found out if the focus were not visible', async () => {
    const window = await testConsole.open('/models');
    await come(
      window,
      scene.pages.find(({ path }) => path === '/models')!,
    );
    expect(await beyondTheKeyboard(window)).toEqual([]);
    await hideFocus(window.page);
    expect(await beyondTheKeyboard(window)).toEqual(await window.page.evaluate<string[]>(toBeReached));
  });

  it('has a front page before it that bars nobody, fits, and takes no text for markup', async () => {
    for (const [width, scheme] of [
      ['phone', 'dark'],
      ['desk', 'light'],
    ] as const) {
      const window = await testConsole.open('/', { credentials: null, width, scheme });
      await window.page.goto(testConsole.server.site);
      await window.page.getByRole('button', { name: 'Download zuliprc' }).waitFor();
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
      expect(await window.page.locator('img, script, iframe, [onclick]').count()).toBe(0);
      expect(window.faults).toEqual([]);
    }
  });
});
