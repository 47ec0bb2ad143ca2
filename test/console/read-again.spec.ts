import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/browser.js';
import type { ConsoleWindow } from './support/test-browser.js';
import { TestConsole } from './support/test-console.js';

describeInBrowser('What the console shows of the present', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let member: ApiClient;
  let memberId: number;
  let channelId: number;

  beforeAll(async () => {
    testConsole = await TestConsole.start({ environment: { SEAL_EVERY_EVENTS: '5' } });
    ({ owner } = testConsole);
    ({ client: member, id: memberId } = await testConsole.server.createUser(owner, 'Ada Quill'));
    channelId = await member.createChannel('engines');
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  const edit = (id: number, content: string): Promise<unknown> =>
    member.must('patch', `messages/${id}`, { content });

  /** Goes to another page, lets something happen, and comes back. */
  async function whileAway({ page }: ConsoleWindow, happen: () => Promise<unknown>): Promise<void> {
    await page.getByRole('link', { name: 'Cases', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Cases', exact: true }).waitFor();
    await happen();
    await page.goBack();
  }

  it('is the life of a message on each visit, also as somebody saw it', async () => {
    const id = await member.sendToChannel('engines', 'life', 'First.');
    const window = await testConsole.open(`/messages/${id}?as=${memberId}`);
    const views = window.page.getByRole('region', { name: 'What this person could see' });
    await views.getByText('First.').waitFor();
    await whileAway(window, () => edit(id, 'Second.'));
    await views.getByText('Second.').waitFor();
    await window.page.getByRole('region', { name: 'What happened' }).locator('.diff ins').waitFor();
    expect(window.faults).toEqual([]);
  });

  it.each([
    ['/cases/1', 'audit/cases/1/tasks', 'No search, count or export since the server started.'],
    ['/proofs', 'audit/proofs', 'Nothing was verified or proven since the server started.'],
    ['/your-data', 'users/me/data_export', 'You have no copy yet.'],
  ] as const)('is read once while no task runs: %s', async (at, path, text) => {
    if (at === '/cases/1') await owner.must('post', 'audit/cases', { name: 'Quiet' });
    const window = await testConsole.open('/log');
    const { page } = window;
    await page.clock.install();
    let requests = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === `/api/v1/${path}`) requests += 1;
    });
    await window.goTo(at);
    await page.getByText(text).waitFor();
    await page.clock.runFor(10_000);
    expect(requests).toBe(1);
    expect(window.faults).toEqual([]);
  });

  it('is the newest seals on each visit', async () => {
    const window = await testConsole.open('/proofs');
    const shown = window.page.locator('.seal-line circle');
    await shown.first().waitFor();
    const before = await shown.count();
    const sealed = async (): Promise<number> =>
      ((await owner.must('get', 'audit/seals'))['seals'] as readonly unknown[]).length;
    await whileAway(window, async () => {
      for (let count = 0; count < 5; count += 1) await member.sendToChannel('engines', 'seals', 'Sealed.');
      await eventually(sealed, (count) => count > before);
    });
    await eventually(
      () => shown.count(),
      (count) => count > before,
    );
    expect(window.faults).toEqual([]);
  });

  it('is a conversation and a comparison that can be read again', async () => {
    const id = await member.sendToChannel('engines', 'notes', 'First.');
    const { head } = await owner.must('get', 'audit/projections');
    const window = await testConsole.open(
      `/time-machine?channel=${channelId}&topic=notes&with=${head as number}`,
    );
    const { page } = window;
    await page.locator('.said').getByText('First.').waitFor();
    await page.getByText(/^0 differences/).waitFor();
    await whileAway(window, () => edit(id, 'Second.'));
    const then = page.getByRole('region', { name: 'The conversation then' });
    await then.getByText('First.').waitFor();
    await page.getByRole('button', { name: 'Read again' }).click();
    await then.getByText('Second.').waitFor();
    await page.getByRole('button', { name: 'Compare again' }).click();
    await page.getByText(/^1 difference,/).waitFor();
    expect(window.faults).toEqual([]);
    expect(await window.barriers()).toEqual([]);
  });
});
