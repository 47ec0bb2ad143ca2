import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { forgeEvent } from '../support/forged-event.js';
import { ServerStores } from '../support/server-stores.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

describeInBrowser('Dead letters in the console', () => {
  let folder: string;
  let testConsole: TestConsole;
  let owner: ApiClient;

  const letters = async (): Promise<readonly Reply[]> =>
    (await owner.must('get', 'audit/projections'))['dead_letters'] as readonly Reply[];

  const stateOf = (all: readonly Reply[], model: string): unknown =>
    all.find(({ projection }) => projection === model)?.['state'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-letters-'));
    testConsole = await TestConsole.start({ directory: folder, stores: ServerStores.embedded() });
    ({ owner } = testConsole);
    const { user_id: userId } = await owner.must('get', 'users/me');
    // Without a tag: what follows the marks that people set stops before it.
    forgeEvent(folder, {
      stream: `flags-${userId as number}`,
      type: 'MessagesMarkedRead',
      data: { userId: userId as number, ranges: [{ from: 1, through: 2 }] },
      actorId: null,
    });
    await eventually(letters, (all) => stateOf(all, 'flags') === 'waiting');
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(async () => {
    await testConsole.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are retried, discarded after a question, and restored, by keyboard, each act recorded', async () => {
    const window = await testConsole.open('/dead-letters');
    const { page } = window;
    await window.heading('Dead letters');
    const letter = page.getByRole('article', { name: 'MessagesMarkedRead before flags' });
    await letter.getByText('waiting', { exact: true }).waitFor();
    expect(await letter.textContent()).toMatch(/^Read model flags is halted at MessagesMarkedRead.*tag/);
    await page.getByText(/^Reactor take-back-notifications is halted at/).waitFor();
    await letter.getByRole('button', { name: 'Show the event' }).click();
    await letter.getByText('"MessagesMarkedRead"').waitFor();
    expect(await window.barriers()).toEqual([]);

    await letter.getByRole('button', { name: 'Retry' }).focus();
    await page.keyboard.press('Enter');
    await letter.getByText(/flags: .*MessagesMarkedRead/).waitFor();
    await letter.getByText('waiting', { exact: true }).waitFor();

    await letter.getByRole('button', { name: 'Discard…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Discard the event?').waitFor();
    await dialog.getByText(/will go on as if MessagesMarkedRead at position/).waitFor();
    expect(await window.barriers()).toEqual([]);
    // The focus is on the way back: nothing is discarded by pressing Enter twice.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const found = await letters();
    expect(stateOf(found, 'flags')).toBe('waiting');
    const eventId: unknown = found.find(({ projection }) => projection === 'flags')?.['event'].id;

    await letter.getByRole('button', { name: 'Discard…' }).press('Enter');
    await dialog.getByRole('button', { name: 'Discard', exact: true }).press('Enter');
    await letter.getByText('discarded', { exact: true }).waitFor();
    expect(stateOf(await letters(), 'flags')).toBe('discarded');

    await letter.getByRole('button', { name: 'Restore' }).press('Enter');
    await eventually(letters, (all) => stateOf(all, 'flags') !== 'discarded');

    const { events } = await owner.must('get', 'audit/log', { stream: 'operations', limit: 100 });
    const acts = (events as readonly Reply[]).map(({ data, metadata }) => [
      data['operation'] as string,
      data['projection'] as string,
      data['eventId'] as string,
      metadata['actorId'] as number,
    ]);
    const { user_id: userId } = await owner.must('get', 'users/me');
    expect(acts).toEqual([
      ['retry', 'flags', eventId, userId],
      ['discard', 'flags', eventId, userId],
      ['restore', 'flags', eventId, userId],
    ]);
    expect(window.faults).toEqual([]);
  });
});
