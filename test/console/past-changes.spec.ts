import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

interface Change {
  readonly position: number;
}

const MANY = 60;

describeInBrowser('What changed, in the console', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let member: ApiClient;
  let una: { readonly id: number; readonly client: ApiClient };
  let hallId: number;
  let vaultId: number;
  let movedId: number;
  let goneId: number;
  /** Positions at which the topic changed: two were sent, one edited, one reacted to, one deleted, one moved away. */
  let changes: readonly number[];

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    ({ client: member } = await testConsole.server.createUser(owner, 'Ada Quill'));
    una = await testConsole.server.createUser(owner, 'Una Reader');
    hallId = await owner.createChannel('hall');
    vaultId = await owner.createChannel('vault', {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    for (const { client } of [{ client: member }, una])
      await client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'hall' }] });
    movedId = await member.sendToChannel('hall', 'keys', 'The key lies under the mat.');
    goneId = await member.sendToChannel('hall', 'keys', 'Tell nobody.');
    await member.must('patch', `messages/${movedId}`, { content: 'The key lies under the stone.' });
    await una.client.must('post', `messages/${movedId}/reactions`, { emoji_name: 'eyes' });
    await owner.must('post', 'messages/flags', { op: 'add', flag: 'read', messages: [goneId] });
    await owner.must('delete', `messages/${goneId}`);
    const move = { stream_id: vaultId, topic: 'secrets', propagate_mode: 'change_all' };
    await owner.must('patch', `messages/${movedId}`, move);
    const listed = await owner.must('get', 'audit/conversation/changes', {
      channel_id: hallId,
      topic: 'keys',
      after: 0,
      limit: 100,
    });
    changes = (listed['changes'] as readonly Change[]).map(({ position }) => position);
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  const compared = (from: number, to: number): string =>
    `/time-machine?channel=${hallId}&topic=keys&at=${to}&with=${from}`;

  it('marks what came, went and changed between two moments, and why', async () => {
    expect(changes).toHaveLength(6);
    const [, second, edited, , deleted, moved] = changes as [number, number, number, number, number, number];
    const window = await testConsole.open(compared(second, deleted));
    const { page } = window;
    const changed = page.locator('.difference.changed');
    await changed.getByText('Changed').waitFor();
    expect(await changed.locator('.diff del').allTextContents()).toEqual(['mat']);
    expect(await changed.locator('.diff ins').allTextContents()).toEqual(['stone']);
    expect(await changed.locator('.rendered').allTextContents()).toEqual([
      expect.stringContaining('under the mat'),
      expect.stringContaining('under the stone'),
    ]);
    const went = page.locator('.difference.went');
    expect(await went.textContent()).toMatch(/Went: it was deleted.*Tell nobody\..*Not there/);
    await page.getByText('2 differences, 0 messages as before').waitFor();
    await window.goTo(compared(deleted, moved));
    await page.getByText('Went: it was moved').waitFor();
    await window.goTo(compared(edited, edited));
    await page.getByText('There is no difference between the two moments.').waitFor();
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });

  it('steps through every change of a conversation, and says what each was', async () => {
    const window = await testConsole.open(`/time-machine?channel=${hallId}&topic=keys&at=${changes[0]!}`);
    const { page } = window;
    const next = page.getByRole('button', { name: 'Next change' });
    const ownerName = (await owner.must('get', 'users/me'))['full_name'] as string;
    const deeds: (string | null)[] = [];
    for (const position of changes.slice(1)) {
      await page.getByRole('button', { name: 'Next change', disabled: false }).waitFor();
      deeds.push(await next.getAttribute('title'));
      await next.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('at') === String(position));
    }
    expect(deeds).toEqual([
      'Ada Quill sent a message',
      'Ada Quill edited a message',
      'Una Reader reacted to a message, or took a reaction back',
      `${ownerName} deleted a message`,
      `${ownerName} moved a message away`,
    ]);
    await page.getByText('There was nothing here then.').waitFor();
    await page.getByRole('button', { name: 'Next change', disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Change before' }).click();
    await page.waitForURL((url) => url.searchParams.get('at') === String(changes[4]!));
    await page.locator('.said').getByText('moved since').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('records each step as one look', async () => {
    const window = await testConsole.open(`/time-machine?channel=${hallId}&topic=keys&at=${changes[0]!}`);
    const { page } = window;
    const next = page.getByRole('button', { name: 'Next change', disabled: false });
    await next.waitFor();
    const { head } = await owner.must('get', 'audit/projections');
    for (const position of changes.slice(1, 4)) {
      await next.and(page.locator('[title]')).click();
      await page.waitForURL((url) => url.searchParams.get('at') === String(position));
    }
    await next.and(page.locator('[title]')).waitFor();
    const looks = await owner.must('get', 'audit/log', { type: 'LogAudited', after: head as number });
    expect((looks['events'] as readonly { data: { view: string } }[]).map(({ data }) => data.view)).toEqual([
      'conversation',
      'conversation',
      'conversation',
      'log',
    ]);
    expect(window.faults).toEqual([]);
  });

  it('steps by the arrow keys of the slider, names the change, and shows its message', async () => {
    const window = await testConsole.open(`/time-machine?channel=${hallId}&topic=keys&at=${changes[0]!}`);
    const { page } = window;
    const slider = page.getByRole('slider', { name: 'Moment' });
    const happened = page.getByRole('region', { name: 'The moment' }).getByRole('status');
    await page.getByRole('button', { name: 'Next change', disabled: false }).waitFor();
    for (const position of changes.slice(1, 3)) {
      await page.getByRole('button', { name: 'Next change' }).and(page.locator('[title]')).waitFor();
      await slider.press('ArrowRight');
      await page.waitForURL((url) => url.searchParams.get('at') === String(position));
    }
    await happened.getByText(`Ada Quill edited message ${movedId}`).waitFor();
    expect(new URL(page.url()).searchParams.get('near')).toBe(String(movedId));
    await page.locator('.chat-changed', { hasText: 'under the stone' }).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/20\d\d, \d\d:\d\d, position \d+$/);
    await page.getByRole('button', { name: 'Next change' }).and(page.locator('[title]')).waitFor();
    await window.goTo(`/time-machine?channel=${hallId}&topic=keys&at=${changes[4]!}&near=${goneId}`);
    await page.getByText(`Until this moment, message ${goneId} was here.`).waitFor();
    expect(await window.barriers()).toEqual([]);
    await window.goTo('/time-machine?channel=cellar');
    await page.getByText('No channel is called “cellar”.').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('shows that a viewer could not see a conversation, and that a viewer had no account yet', async () => {
    const last = changes.at(-1)!;
    const late = await testConsole.server.createUser(owner, 'Lou Late');
    const window = await testConsole.open(`/time-machine?channel=${vaultId}&at=${last}&as=${una.id}`);
    await window.page.getByText('Una Reader could see nothing here then.').waitFor();
    await window.goTo(`/time-machine?channel=${vaultId}&at=${last}`);
    await window.page.locator('.said', { hasText: 'under the stone' }).waitFor();
    await window.goTo(`/time-machine?channel=${hallId}&at=${last}&as=${late.id}`);
    await window.page.getByText('Lou Late did not have an account then.').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('tells in a message’s life where it was moved, who reacted, and who could see it before and after', async () => {
    const window = await testConsole.open(`/messages/${movedId}`);
    const { page } = window;
    const steps = page.locator('.life-step');
    await steps.nth(3).waitFor();
    expect(await steps.allTextContents()).toEqual([
      expect.stringContaining('under the mat'),
      expect.stringMatching(/edited.*under the matstone/),
      expect.stringMatching(/Una Reader.*eyes/),
      expect.stringMatching(/moved .*#hall \(\d+\) > “keys” to #vault \(\d+\) > “secrets”/),
    ]);
    const seeing = async (step: number): Promise<readonly string[]> => {
      const at = steps.nth(step);
      await at.getByRole('button', { name: 'Who could see it then' }).click();
      const table = at.getByRole('region', { name: 'Who could see it then' });
      await table.getByRole('link').first().waitFor();
      return (await table.getByRole('link').allTextContents()).sort();
    };
    expect(await seeing(0)).toEqual(expect.arrayContaining(['Ada Quill', 'Una Reader']));
    expect(await seeing(2)).toEqual(expect.arrayContaining(['Ada Quill', 'Una Reader']));
    expect(await seeing(3)).not.toEqual(expect.arrayContaining(['Una Reader']));
    await steps.nth(3).getByRole('link', { name: 'See the conversation at this moment' }).click();
    await page.waitForURL((url) => url.searchParams.get('channel') === String(vaultId));
    await page.locator('.said', { hasText: 'under the stone' }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('tells who deleted a message, and what somebody could see of it until then', async () => {
    const window = await testConsole.open(`/messages/${goneId}?as=${una.id}`, { width: 'phone' });
    const { page } = window;
    await page.locator('.life-step.deleted').getByText('From then on nobody could see it.').waitFor();
    const views = page.getByRole('region', { name: 'What this person could see' }).locator('.life-step');
    await views.last().waitFor();
    expect(await views.allTextContents()).toEqual([
      expect.stringMatching(/this, .*Tell nobody\./),
      expect.stringMatching(/nothing$/),
    ]);
    expect(await page.getByRole('button', { name: 'Who can see it now' }).count()).toBe(0);
    const asked = async (question: string): Promise<readonly string[]> => {
      await page.getByRole('button', { name: question }).click();
      const people = page.getByRole('region', { name: question }).getByRole('link');
      await people.first().waitFor();
      return people.allTextContents();
    };
    expect(await asked('Who could see it until then')).toEqual(
      expect.arrayContaining(['Ada Quill', 'Una Reader']),
    );
    const { full_name: ownerName } = await owner.must('get', 'users/me');
    expect(await asked('Who had read it until then')).toEqual([ownerName]);
    expect(await window.barriers()).toEqual([]);
    expect(await window.scrollsSideways()).toBe(false);
    expect(window.faults).toEqual([]);
  });

  it('shows the first differences of many while more may be asked for', async () => {
    const before = changes.at(-1)!;
    for (let number = 1; number <= MANY; number += 1)
      await member.sendToChannel('hall', 'keys', `Number ${number}`);
    const window = await testConsole.open(`/time-machine?channel=${hallId}&topic=keys&with=${before}`);
    const { page } = window;
    const more = page.getByRole('button', { name: 'More differences' });
    await more.waitFor();
    expect(await page.locator('.difference').count()).toBe(50);
    await page.getByRole('progressbar', { name: 'Compared' }).waitFor();
    await more.focus();
    await page.keyboard.press('Enter');
    await page.locator('.difference', { hasText: `Number ${MANY}` }).waitFor();
    expect(await page.locator('.difference').count()).toBe(MANY);
    expect(await page.getByRole('progressbar', { name: 'Compared' }).count()).toBe(0);
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });
});
