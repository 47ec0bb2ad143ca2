import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { showsFocus } from './support/focus.js';
import { TestConsole } from './support/test-console.js';

/** More presses of a key than any page needs. */
const MOST = 80;

/** The name of what has the focus. */
const focused = `(() => {
  const element = document.activeElement;
  const text = element === document.body ? '' : element.textContent.trim();
  return element.getAttribute('aria-label') ?? text;
})()`;

/** Presses a key, Tab if none is named, until something of that name has the focus. */
async function tabTo(page: Page, wanted: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < MOST; press += 1) {
    await page.keyboard.press(key);
    const name = await page.evaluate<string>(focused);
    passed.push(name);
    if (typeof wanted === 'string' ? name !== wanted : !wanted.test(name)) continue;
    expect({ name, isSeen: await showsFocus(page) }).toEqual({ name, isSeen: true });
    return;
  }
  throw new Error(`${key} did not come to ${String(wanted)}, only to: ${passed.join(' | ')}`);
}

describeInBrowser('The console by keyboard alone', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let messageId: number;

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    await owner.createChannel('engines');
    messageId = await owner.sendToChannel('engines', 'notes', 'Ready.');
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('lets somebody in, leads to every page, and out again', async () => {
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('radio', { name: 'Password' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.credentials!.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.credentials!.key);
    await page.keyboard.press('Enter');
    await window.heading('Overview');
    const titles = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(titles.length).toBeGreaterThan(8);
    for (const title of titles) {
      await tabTo(page, title);
      await page.keyboard.press('Enter');
      await window.heading(title);
    }
    await tabTo(page, /Account of/);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await tabTo(page, 'Sign out', 'ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('says which page is shown, and begins there', async () => {
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.title()).toBe('Sign in – Palimpsest console');
    const signedIn = await testConsole.open('/');
    await signedIn.heading('Overview');
    expect(await signedIn.page.title()).toBe('Overview – Palimpsest console');
    expect(await signedIn.page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await signedIn.page.getByRole('link', { name: 'Log', exact: true }).press('Enter');
    await signedIn.heading('Log');
    expect(await signedIn.page.title()).toBe('Log – Palimpsest console');
    expect(await signedIn.page.evaluate('document.activeElement.id')).toBe('page');
    await signedIn.page.getByLabel('Types of events').fill('MessageSent');
    await signedIn.page.keyboard.press('Enter');
    await signedIn.page.waitForURL(/type=MessageSent/);
    expect(await signedIn.page.evaluate('document.activeElement.id')).not.toBe('page');
    expect(window.faults).toEqual([]);
  });

  it('shows an event as it is stored, and gives the focus back', async () => {
    const window = await testConsole.open('/log');
    const { page } = window;
    await page.getByRole('table', { name: 'Events of the log' }).getByRole('row').nth(1).waitFor();
    await tabTo(page, /LogAudited$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Hash', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate<string>(focused)).toMatch(/LogAudited$/);
  });

  it('tells who could see a message, and goes to the time machine', async () => {
    const window = await testConsole.open('/messages');
    const { page } = window;
    await window.heading('Message');
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.keyboard.type(String(messageId));
    await page.keyboard.press('Enter');
    await page.getByText('As it was shown').waitFor();
    await tabTo(page, 'See the conversation at this moment');
    await tabTo(page, 'Who could see it then');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Who could see it then/ }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await window.heading('Time machine');
    expect(window.faults).toEqual([]);
  });
});
