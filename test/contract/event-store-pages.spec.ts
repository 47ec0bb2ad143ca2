import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readLogPage } from '../../src/audit/queries/get-log-page.js';
import { QueryDeadline, TaskDeadline } from '../../src/reader-threads/query-deadline.js';
import { budgets } from '../../src/kernel/budgets.js';
import { DeadlineExceededError } from '../../src/stores/read-store/port.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { event, testCodec } from '../projection/support/test-log.js';
import { follow, someEvent } from './support/event-store-events.js';
import { startStandIn, type StandInFixture } from './support/event-store-fixtures.js';

describe('pages of EventStoreDB', () => {
  let fixture: StandInFixture;

  beforeEach(async () => {
    fixture = await startStandIn();
  });

  afterEach(async () => {
    await fixture.close();
  });

  it('are as long as an audit asks for them', async () => {
    const log = new EventLog(fixture.open(), testCodec);
    const metadata = { actorId: null, causationId: null, client: 'test', at: 1 };
    for (let count = 0; count < 6; count += 1) {
      const events = Array.from({ length: 1_000 }, () => event('Paid', 1, { amount: 1 }));
      const commandId = randomCommandId();
      await log.append({ stream: 'messages', expected: 'any' }, events, { ...metadata, commandId });
    }
    const page = await readLogPage(log, {}, { limit: 5_000, deadline: new QueryDeadline() });
    expect(page.events).toHaveLength(5_000);
    const rest = await readLogPage(
      log,
      { from: page.position! + 1 },
      { limit: 5_000, deadline: new QueryDeadline() },
    );
    expect(rest.events).toHaveLength(1_000);
    expect(rest.found_newest).toBe(true);
  });

  it('end an audit’s page with the event that fills it, and with the deadline', async () => {
    const log = new EventLog(fixture.open(), testCodec);
    const metadata = { actorId: null, causationId: null, client: 'test', at: 1 };
    const name = 'x'.repeat(900_000);
    for (let count = 0; count < 6; count += 1) {
      const commandId = randomCommandId();
      const place = { stream: 'messages', expected: 'any' } as const;
      await log.append(place, [event('Renamed', 1, { name })], { ...metadata, commandId });
    }
    const extent = { limit: 100, deadline: new QueryDeadline() };
    const page = await readLogPage(log, {}, extent);
    const max = Math.ceil(budgets.logPageCharacters.max / name.length);
    expect([page.events.length, page.found_newest]).toEqual([max, false]);
    expect(page.position).toBe(page.events.at(-1)!.position);
    const rest = await readLogPage(log, { from: page.position! + 1 }, extent);
    expect([rest.events.length, rest.found_newest]).toEqual([6 - max, true]);
    const controller = new AbortController();
    const deadline = new TaskDeadline({ deadline: () => ({ signal: controller.signal, at: Infinity }) });
    expect((await readLogPage(log, {}, { ...extent, deadline })).events).toHaveLength(max);
    controller.abort(new Error('Nobody waits'));
    await expect(readLogPage(log, {}, { ...extent, deadline })).rejects.toThrow('Nobody waits');
    const over = new TaskDeadline({ deadline: () => ({ signal: new AbortController().signal, at: 0 }) });
    await expect(readLogPage(log, {}, { ...extent, deadline: over })).rejects.toThrow(DeadlineExceededError);
  });

  it('hold a few megabytes at most, however few events those are', async () => {
    const store = fixture.open();
    for (let count = 0; count < 16; count += 1)
      await store.append('messages', 'any', [someEvent('Large', { text: 'x'.repeat(1_000_000) })]);
    const follower = follow(fixture.open(), { after: null, pageSize: 1_000 });
    await follower.until(({ events }) => events.length === 16);
    expect(Math.max(...follower.pages.map(({ events }) => events.length))).toBeLessThanOrEqual(5);
    await follower.stop();
  });
});
