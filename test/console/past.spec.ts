import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

/** Texts that would act if they were taken for markup, or be loaded. */
const hostileName = 'Ada <img src=x onerror=alert(1) title=x';
const hostileText = '<script>alert(1)</script> [run](javascript:alert(1)) **bold** https://example.com/x.png';

describeInBrowser('The past in the console', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let member: ApiClient;
  let auditor: ApiClient;
  let channelId: number;
  let messageId: number;

  const send = (topic: string, content: string): Promise<number> =>
    member.sendToChannel('engines', topic, content);

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    ({ client: member } = await testConsole.server.createUser(owner, hostileName));
    channelId = await member.createChannel('engines');
    const una = await testConsole.server.createUser(owner, 'Una Reader');
    auditor = await testConsole.createAuditor('Cleo');
    const subscriptions = JSON.stringify([{ name: 'engines' }]);
    await una.client.must('post', 'users/me/subscriptions', { subscriptions });
    messageId = await send('notes', hostileText);
    await una.client.must('post', 'messages/flags', { op: 'add', flag: 'read', messages: [messageId] });
    await member.must('patch', `messages/${messageId}`, { content: `${hostileText} and more` });
    const gone = await send('notes', 'This was taken back.');
    await owner.must('delete', `messages/${gone}`);
    await owner.must('patch', `messages/${messageId}`, { topic: 'looms', propagate_mode: 'change_all' });
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('shows a conversation as it was, steps from change to change, and keeps where in the address', async () => {
    const window = await testConsole.open(`/time-machine?channel=${channelId}&topic=notes`);
    const { page } = window;
    await window.heading('Time machine');
    await page.getByText('There was nothing here then.').waitFor();
    await page.getByRole('button', { name: 'Change before', disabled: false }).focus();
    const before = page.waitForURL(/at=\d+/);
    await page.keyboard.press('Enter');
    await before;
    await page.getByRole('slider', { name: 'Moment' }).waitFor();
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    const said = page.locator('.said');
    await said.getByText('moved since').waitFor();
    await said.getByText('edited since').waitFor();
    expect(await said.count()).toBe(1);
    expect(await said.textContent()).toContain(hostileName);
    expect(await said.textContent()).toContain('<script>alert(1)</script>');
    expect(await said.locator('img, script').count()).toBe(0);
    expect(await said.locator('a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Next change' }).click();
    await page.locator('.rendered', { hasText: 'and more' }).waitFor();
    expect(window.faults).toEqual([]);
    expect(await window.barriers()).toEqual([]);
  });

  it('goes where the slider was moved to, also while the moment before is still on its way', async () => {
    const window = await testConsole.open(`/time-machine?channel=${channelId}&topic=notes`);
    const { page } = window;
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/audit\/conversation\?.*at=/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Change before' }).click();
    await page.waitForURL(/at=\d+/);
    const first = await slider.getAttribute('min');
    await slider.press('Home');
    release();
    await page.waitForURL((url) => url.searchParams.get('at') === first);
    await page.locator('.said').getByText('edited since').waitFor();
    expect(await slider.inputValue()).toBe(first);
    expect(window.faults).toEqual([]);
  });

  it('does not show what one person saw as what another saw, while that is on its way', async () => {
    const at = `/time-machine?channel=${channelId}&topic=looms`;
    const window = await testConsole.open(at);
    const { page } = window;
    await page.locator('.said').first().waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/audit\/conversation\?.*as=/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel('As seen by').fill('Una Reader');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/as=\d+/);
    await page.getByText('Loading the conversation…').waitFor();
    expect(await page.locator('.said').count()).toBe(0);
    release();
    await page.locator('.said').first().waitFor();
    expect(window.faults).toEqual([]);
  });

  it('compares two moments side by side, in both schemes, on a phone too', async () => {
    for (const [width, scheme] of [
      ['desk', 'light'],
      ['phone', 'dark'],
    ] as const) {
      const window = await testConsole.open(`/time-machine?channel=${channelId}&with=1`, { width, scheme });
      const { page } = window;
      await page.getByText('Came: it was sent').first().waitFor();
      expect(await page.locator('.difference.came').count()).toBeGreaterThan(0);
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
      expect(window.faults).toEqual([]);
    }
  });

  it('takes a look once, also when somebody returns to a page or to the network', async () => {
    const window = await testConsole.open('/proofs');
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/audit\/(log|conversation)$/.test(pathname)) asked.push(pathname);
    });
    await window.goTo(`/time-machine?channel=${channelId}&topic=looms`);
    await page.locator('.said').first().waitFor();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.getByRole('table', { name: 'Events of the log' }).getByRole('row').nth(1).waitFor();
    await page.goBack();
    await page.locator('.said').first().waitFor();
    await page.goForward();
    await page.getByRole('table', { name: 'Events of the log' }).getByRole('row').nth(1).waitFor();
    await page.evaluate('dispatchEvent(new Event("offline")); dispatchEvent(new Event("online"))');
    await page.getByRole('link', { name: 'Read models' }).click();
    await window.heading('Read models');
    expect(asked).toEqual(['/api/v1/audit/conversation', '/api/v1/audit/log']);
    expect(window.faults).toEqual([]);
  });

  it('tells the life of a message, each edit as what it took out and put in, and what somebody saw', async () => {
    const window = await testConsole.open(`/messages/${messageId}`, { width: 'phone' });
    const { page } = window;
    await window.heading('Message');
    expect(await page.locator('.diff ins').textContent()).toBe(' and more');
    expect(await page.locator('.life-step').count()).toBe(3);
    expect(await window.barriers()).toEqual([]);
    expect(await window.scrollsSideways()).toBe(false);
    const shown = page.getByRole('figure', { name: 'As it was shown' });
    expect(await shown.count()).toBe(2);
    expect(await shown.first().locator('strong').textContent()).toBe('bold');
    expect(await shown.locator('img, script, a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('link', { name: 'See the conversation at this moment' }).first().click();
    await window.heading('Time machine');
    await page.locator('.said').first().waitFor();
    expect(window.faults).toEqual([]);
  });

  it('leads from the life of a message to its conversation, of people and of the unnamed topic', async () => {
    const userId = (await owner.must('get', 'users/me'))['user_id'] as number;
    const content = 'Between us.';
    const { id: direct } = await member.must('post', 'messages', {
      type: 'direct',
      to: `[${userId}]`,
      content,
    });
    const unnamed = await send('', 'Without a topic.');
    await send('notes', 'With a topic.');
    const window = await testConsole.open('/proofs');
    const { page } = window;
    for (const [id, text] of [
      [direct as number, content],
      [unnamed, 'Without a topic.'],
    ] as const) {
      await window.goTo(`/messages/${id}`);
      await page.getByRole('link', { name: 'See the conversation at this moment' }).click();
      await window.heading('Time machine');
      await page.locator('.said').getByText(text).waitFor();
      expect(await page.locator('.said').count()).toBe(1);
    }
    expect(window.faults).toEqual([]);
  });

  it('shows in the form of a message what the address names, also after the browser’s Back', async () => {
    const window = await testConsole.open(`/messages/${messageId}`);
    const { page } = window;
    const viewer = page.getByLabel('What could this person see of it');
    await viewer.fill('Una Reader');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('What this person could see').waitFor();
    await page.goBack();
    await page.getByText('What this person could see').waitFor({ state: 'detached' });
    expect(await viewer.inputValue()).toBe('');
    expect(window.faults).toEqual([]);
  });

  it('tells who could see a message at each step, and who has read it, to owners and auditors', async () => {
    for (const [credentials, width, scheme] of [
      [owner.credentials!, 'desk', 'light'],
      [auditor.credentials!, 'phone', 'dark'],
    ] as const) {
      const window = await testConsole.open(`/messages/${messageId}`, { credentials, width, scheme });
      const { page } = window;
      const then = page.getByRole('button', { name: 'Who could see it then' });
      await then.first().focus();
      await page.keyboard.press('Enter');
      const table = page.getByRole('region', { name: 'Who could see it then' }).first();
      await table.getByRole('link', { name: hostileName }).waitFor();
      await table.getByRole('link', { name: 'Una Reader' }).waitFor();
      expect(await then.count()).toBe(3);
      const readers = page.getByRole('button', { name: 'Who has read it' });
      await readers.focus();
      await page.keyboard.press('Enter');
      const those = page.getByRole('region', { name: 'Who has read it' });
      await those.getByRole('link', { name: 'Una Reader' }).waitFor();
      expect(await those.getByRole('link').allTextContents()).toEqual(['Una Reader']);
      const { people } = await owner.must('get', `audit/messages/${messageId}/readers`);
      const readAt = new Date(people[0].read_at as number).toISOString();
      expect(await those.locator('time').getAttribute('datetime')).toBe(readAt);
      await those.getByRole('cell', { name: /^read .*\d:\d\d/ }).waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
      expect(window.faults).toEqual([]);
    }
  });

  it('is not for members', async () => {
    const window = await testConsole.open('/time-machine', { credentials: member.credentials });
    await window.heading('Not for this account');
  });
});
