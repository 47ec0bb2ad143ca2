import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/browser.js';
import { eventAt } from './support/stubbed-event.js';
import { TestConsole } from './support/test-console.js';

/** A name that would act if it were taken for markup. */
const hostile = '<img src=x onerror=alert(1) title=Ada';

describeInBrowser('The console’s log, people and channels', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let ada: { readonly id: number; readonly client: ApiClient };

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    ada = await testConsole.server.createUser(owner, 'Ada Quill');
    await owner.must('patch', `users/${ada.id}`, { full_name: hostile });
    const subscriptions = JSON.stringify([{ name: 'engines' }]);
    await ada.client.must('post', 'users/me/subscriptions', { subscriptions });
    for (let number = 1; number <= 90; number += 1)
      await ada.client.sendToChannel('engines', 'notes', `Note ${number}.`);
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('shows the newest events, reads on when somebody scrolls, and keeps few rows in the document', async () => {
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    await window.heading('Log');
    const table = page.getByRole('table', { name: 'Events of the log' });
    await table.getByText('Note 90.').waitFor();
    await table.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('End');
    await page.getByText(/^9\d events|^90 events/).waitFor();
    await page.keyboard.press('End');
    await table.getByText('Note 1.').waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    expect(await page.locator('img').count()).toBe(0);
    expect(window.faults).toEqual([]);
  });

  it('follows what comes, keeps what somebody reads where it is, and is recorded once', async () => {
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    const table = page.getByRole('table', { name: 'Events of the log' });
    await table.getByText('Note 90.').waitFor();
    const { head } = await owner.must('get', 'audit/projections');
    await page.getByRole('switch', { name: 'Follow' }).focus();
    await page.keyboard.press('Space');
    const send = (content: string): Promise<unknown> =>
      ada.client.must('post', 'messages', { type: 'channel', to: 'engines', topic: 'notes', content });
    await send('It came.');
    await table.getByText('It came.').waitFor();
    await page.evaluate('document.querySelector(".virtual-table").scrollTop = 400');
    await send('It came later.');
    const scrolled = (): Promise<number> =>
      page.evaluate('document.querySelector(".virtual-table").scrollTop');
    await eventually(scrolled, (pixels) => pixels === 444);
    const looks = await owner.must('get', 'audit/log', { type: 'LogAudited', after: head as number });
    const followings = (looks['events'] as readonly { data: { asked?: object } }[]).filter(
      ({ data }) => data.asked !== undefined && 'follow' in data.asked,
    );
    expect(followings).toHaveLength(1);
    expect(window.faults).toEqual([]);
    expect(await window.barriers()).toEqual([]);
  });

  it('keeps what was followed when somebody stops following, and goes on from there', async () => {
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    const table = page.getByRole('table', { name: 'Events of the log' });
    await table.getByText('Note 90.').waitFor();
    const follow = page.getByRole('switch', { name: 'Follow' });
    await follow.press('Space');
    await ada.client.sendToChannel('engines', 'notes', 'It was followed.');
    await table.getByText('It was followed.').waitFor();
    await follow.press('Space');
    await page.getByRole('switch', { name: 'Follow', checked: false }).waitFor();
    await table.getByText('It was followed.').waitFor();
    await ada.client.sendToChannel('engines', 'notes', 'Nobody followed it at first.');
    await follow.press('Space');
    await table.getByText('Nobody followed it at first.').waitFor();
    expect(await table.getByText('It was followed.').count()).toBe(1);
    expect(window.faults).toEqual([]);
  });

  it('begins at the newest event again when more was followed than it keeps, without a gap', async () => {
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    await page.getByRole('table', { name: 'Events of the log' }).getByText('Note 90.').waitFor();
    const pages: string[] = [];
    let isReadAnew = false;
    await page.route(/audit\/log\?.*(follow|newest_first)=true/, async (route) => {
      const { searchParams } = new URL(route.request().url());
      const after = Number(searchParams.get('after') ?? 0);
      const isFollowing = searchParams.has('follow');
      if (!isFollowing) isReadAnew = true;
      pages.push(isFollowing ? `after ${isReadAnew ? 'the new pages' : 'the old pages'}` : 'newest first');
      const events = Array.from({ length: isReadAnew ? 1 : 200 }, (_, index) => eventAt(after + index + 1));
      const position = after + events.length;
      const reply = {
        result: 'success',
        events,
        position,
        found_newest: isReadAnew,
        found_oldest: true,
        newest: NEWEST,
      };
      await route.fulfill({ json: reply });
    });
    await page.getByRole('switch', { name: 'Follow' }).press('Space');
    await eventually(
      () => Promise.resolve(pages),
      (all) => all.includes('after the new pages'),
    );
    // 25 pages of 200 events are kept; the next one is too much.
    expect(pages.slice(0, 27)).toEqual([...Array<string>(26).fill('after the old pages'), 'newest first']);
    await page.getByText('2 events', { exact: true }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('filters by what is in the address, and shows an event as it is stored, by keyboard alone', async () => {
    const window = await testConsole.open('/log');
    const { page } = window;
    await page.getByLabel('Types of events').focus();
    await page.keyboard.type('UserRenamed');
    await page.keyboard.press('Enter');
    await page.waitForURL(/type=UserRenamed/);
    const row = page.getByRole('row').filter({ hasText: 'UserRenamed' });
    await row.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Hash', { exact: true }).waitFor();
    expect(await drawer.locator('pre').textContent()).toContain('"sealed"');
    expect(await window.barriers()).toEqual([]);
    const address = new URL(page.url());
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.goto(address.href);
    await drawer.getByText('Hash', { exact: true }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('suggests types of events, for each of several, with what they mean', async () => {
    const window = await testConsole.open('/log');
    const { page } = window;
    const types = page.getByLabel('Types of events');
    const suggested = (): Promise<readonly string[]> =>
      page.evaluate(
        '[...document.querySelector("input[name=type]").list.options].map(({ value, text }) => `${value}: ${text}`)',
      );
    await types.waitFor();
    await eventually(suggested, ({ length }) => length > 50);
    await types.fill('messagesent,PersonUnm');
    await eventually(suggested, ({ length }) => length === 1);
    expect(await suggested()).toEqual(['messagesent,PersonUnmuted: A person no longer mutes another.']);
    await types.fill('UserRenamed,userrenamed');
    expect(await suggested()).toEqual([]);
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });

  it.each(['people', 'channels'] as const)('finds %s by name, and shows their life', async (path) => {
    const [title, name] = path === 'people' ? ['People', '<img'] : ['Channels', 'engin'];
    const window = await testConsole.open(`/${path}`);
    const { page } = window;
    await window.heading(title);
    await page.getByLabel('Name', { exact: true }).fill(name);
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(1).focus();
    await page.keyboard.press('Enter');
    await window.heading(path === 'people' ? hostile : 'engines');
    await page
      .getByRole('table', { name: 'What happened' })
      .getByText(path === 'people' ? 'UserRegistered' : 'ChannelCreated')
      .waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(window.faults).toEqual([]);
  });

  it('leads from an event to the life of its message and to its proof', async () => {
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    await page.getByRole('row').filter({ hasText: 'Note 90.' }).click();
    const drawer = page.getByRole('dialog');
    const life = await drawer.getByRole('link', { name: /^Life of message/ }).getAttribute('href');
    await drawer.getByRole('link', { name: /^Prove message/ }).click();
    await window.heading('Proofs');
    const id = /\d+$/.exec(life ?? '')?.[0];
    expect(await page.getByLabel('Message to prove').inputValue()).toBe(id);
    await page.getByRole('button', { name: 'Prove the message', disabled: false }).waitFor();
    await window.goTo(`/messages/${String(id)}`);
    await page.getByText('Note 90.').first().waitFor();
    const proof = page.getByRole('link', { name: `Prove message ${String(id)}` });
    expect(await proof.getAttribute('href')).toMatch(new RegExp(`/proofs\\?message=${String(id)}$`));
    expect(window.faults).toEqual([]);
  });

  it('goes back to what was shown before, by the browser’s button', async () => {
    const window = await testConsole.open('/log?type=UserRenamed');
    const { page } = window;
    await page.getByRole('row').filter({ hasText: 'UserRenamed' }).waitFor();
    await page.getByRole('button', { name: 'Everything' }).click();
    await page.getByRole('row').filter({ hasText: 'MessageSent' }).first().waitFor();
    await page.goBack();
    await page.getByText('1 event', { exact: true }).waitFor();
    expect(await page.getByLabel('Types of events').inputValue()).toBe('UserRenamed');
    expect(window.faults).toEqual([]);
  });

  it('finds private channels that nobody let the auditor into, and keeps what was typed in the address', async () => {
    await ada.client.createChannel('cellar', { invite_only: true });
    const window = await testConsole.open('/channels?name=cell');
    const { page } = window;
    await page.getByRole('row', { name: /cellar.*private/ }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('attic');
    await page.getByText('No channel has “attic” in the name.').waitFor();
    await page.waitForURL(/name=attic/);
    expect(window.faults).toEqual([]);
  });

  it.each([
    ['/log', 'Log', 'light'],
    ['/log', 'Log', 'dark'],
    ['/people', 'People', 'dark'],
    ['/channels', 'Channels', 'light'],
  ] as const)('fits a phone and bars nobody: %s (%s, %s)', async (path, title, scheme) => {
    const window = await testConsole.open(path, { width: 'phone', scheme });
    await window.heading(title);
    await window.page.getByRole('table').waitFor();
    expect(await window.scrollsSideways()).toBe(false);
    expect(await window.barriers()).toEqual([]);
  });

  it('is not for members', async () => {
    const window = await testConsole.open('/log', { credentials: ada.client.credentials });
    await window.heading('Not for this account');
  });
});

/** The position that the server of a stubbed reply has come to. */
const NEWEST = 1_000_000;
