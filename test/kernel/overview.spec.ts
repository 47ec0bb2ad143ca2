import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SealLog } from '../../src/audit/sealing/jobs.js';
import { MailAbandoned } from '../../src/events/mail.js';
import { MissedMessagePushDropped } from '../../src/events/missed-messages.js';
import { MessageSent } from '../../src/events/messages.js';
import { Overview } from '../../src/operations/overview/overview.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { EventStoreUnavailableError } from '../../src/stores/event-store/port.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import { eventually } from '../support/eventually.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const MINUTE = 60_000;
const overdue = 'What was written last is not sealed, though it is due.';

let stores: TemporaryStores;
let overview: Overview;
let now = Date.UTC(2026, 8, 1);

beforeEach(async () => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  stores = await openTemporaryStores();
  overview = started();
  stores.log.observe(overview);
});

afterEach(async () => {
  overview.end();
  jest.restoreAllMocks();
  await stores.dispose();
});

type Sources = Parameters<Overview['begin']>[0];

function started(over: Partial<Sources> = {}): Overview {
  const begun = new Overview();
  begun.begin({
    log: stores.log,
    operations: { status: () => Promise.resolve([]), reactors: () => Promise.resolve([]) },
    dataDirectory: stores.directory,
    sealSeconds: 60,
    logger: { warn: () => undefined },
    models: () => [],
    reactors: () => [],
    eventLoops: () => ({}),
    queues: () => ({ size: 2, bytes: 300 }),
    waiting: () =>
      Promise.resolve({ mails: { count: 0, since: null }, notifications: { count: 0, since: null } }),
    ...over,
  });
  return begun;
}

/** The log of another process: this one does not observe what that one appends. */
function logElsewhere(): EventLog {
  return Object.create(stores.log, { observer: { value: null } }) as EventLog;
}

let written = 0;

function write(log = stores.log): Promise<void> {
  return append('messages', { type: MessageSent.type, data: MessageSent.example }, log);
}

async function append(stream: string, event: DomainEvent, log = stores.log): Promise<void> {
  written += 1;
  const commandId = `00000000-0000-4000-8000-${String(written).padStart(12, '0')}`;
  const metadata = { actorId: 3, commandId, causationId: null, client: 'test', at: now };
  await log.append({ stream, expected: 'any' }, [event], metadata);
}

/** Seals as another process does. */
async function sealElsewhere(): Promise<void> {
  const interval = { events: 1, milliseconds: 1 };
  await new SealLog({ log: logElsewhere(), clock: { now: () => now }, interval }).perform();
}

async function found(): Promise<readonly string[]> {
  const report = await overview.report(0);
  return report!.verdict.findings.map(({ what }) => what).filter((what) => !what.startsWith('The disk'));
}

describe('The overview of the server', () => {
  it('finds that the log is no longer sealed, however busy the server is', async () => {
    for (let minute = 0; minute < 5; minute += 1) {
      await write();
      now += MINUTE;
    }
    await write();
    expect(await found()).toEqual([overdue]);
  });

  it('finds it also where another process writes', async () => {
    await write(logElsewhere());
    now += 2 * MINUTE;
    expect(await found()).toEqual([]);
    now += 2 * MINUTE;
    expect(await found()).toEqual([overdue]);
  });

  it('knows of the seals of another process', async () => {
    await write();
    now += MINUTE;
    await sealElsewhere();
    const sealedAt = now;
    now += 60 * MINUTE;
    expect(await found()).toEqual([]);
    expect(await overview.report(0)).toMatchObject({ lastSealAt: sealedAt });
    await write();
    now += 4 * MINUTE;
    expect(await found()).toEqual([overdue]);
  });

  it('allows a server that was stopped the time in which it seals', async () => {
    await write();
    now += 600 * MINUTE;
    overview.end();
    overview = started();
    expect(await found()).toEqual([]);
    now += 4 * MINUTE;
    expect(await found()).toEqual([overdue]);
  });

  it('counts the e-mails that failed for good in the last hour, without those that nobody needed any more', async () => {
    const abandoned = (reason: string) => ({
      type: MailAbandoned.type,
      data: { ...MailAbandoned.example, reason },
    });
    await append('mail-1', abandoned('not wanted any more'));
    expect(await found()).toEqual([]);
    await append('mail-2', abandoned('550 no such user'));
    await sealElsewhere();
    expect(await found()).toEqual(['1 e-mail was given up in the last hour.']);
    now += 61 * MINUTE;
    expect(await found()).toEqual([]);
  });

  it('counts the notifications that were dropped in the last hour, for each person', async () => {
    const dropped = (userIds: readonly number[]) => ({
      type: MissedMessagePushDropped.type,
      data: { ...MissedMessagePushDropped.example, userIds },
    });
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 0, notificationsFailed: 0 });
    await append('missed-41', dropped([3]));
    await sealElsewhere();
    expect(await found()).toEqual(['1 notification was dropped in the last hour.']);
    now += 30 * MINUTE;
    await append('missed-43', dropped([3, 5]), logElsewhere());
    await sealElsewhere();
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 0, notificationsFailed: 3 });
    now += 31 * MINUTE;
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 0, notificationsFailed: 2 });
  });

  it('knows the e-mails that failed before the process started, and those of another process', async () => {
    const failed = { type: MailAbandoned.type, data: MailAbandoned.example };
    await append('mail-1', failed);
    await sealElsewhere();
    now += 50 * MINUTE;
    await append('mail-2', failed);
    await sealElsewhere();
    overview.end();
    overview = started();
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 2 });
    await append('mail-3', failed, logElsewhere());
    const [one, other] = await Promise.all([overview.report(0), overview.report(0)]);
    expect([one, other]).toMatchObject([{ mailsFailed: 3 }, { mailsFailed: 3 }]);
    now += 11 * MINUTE;
    overview.end();
    overview = started();
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 2 });
  });

  it('reads only the last hour of the log for e-mails that failed, however long nobody asked', async () => {
    const failed = { type: MailAbandoned.type, data: MailAbandoned.example };
    await append('mail-1', failed);
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 1 });
    now += 60 * MINUTE;
    await append('mail-2', failed);
    await sealElsewhere();
    const sealed = (await positions()).at(-1);
    now += 20_000 * MINUTE;
    await append('mail-3', failed);
    const readAll = jest.spyOn(stores.log.store, 'readAll');
    expect(await overview.report(0)).toMatchObject({ mailsFailed: 1 });
    const reads = readAll.mock.calls.filter(([{ types }]) => types?.includes(MailAbandoned.type));
    expect(reads.map(([{ after }]) => after)).toEqual([sealed]);
  });

  it('takes a sample at the start, and reports only those after the given moment', async () => {
    const waiting = {
      mails: { count: 12, since: now - 30 * MINUTE },
      notifications: { count: 0, since: null },
    };
    overview.end();
    overview = started({ waiting: () => Promise.resolve(waiting) });
    const report = await eventually(
      () => overview.report(now - 1),
      (answer) => answer!.samples.at.length > 0,
    );
    expect(report).toMatchObject({
      queues: { size: 2, bytes: 300 },
      waiting: { mails: 12, notifications: 0 },
      samples: {
        at: [now],
        figures: { events: [0], mails: [12], notifications: [0], queues: [2], queueBytes: [300] },
      },
    });
    expect(await found()).toEqual(['12 e-mails wait to be sent, the first for 30 minutes.']);
    expect((await overview.report(now))!.samples.at).toEqual([]);
  });

  it('takes how long the first event that a reactor has not handled has been in the log, whatever the reactor does', async () => {
    await write();
    now += MINUTE;
    await write();
    const [first, last] = await positions();
    const reactors = () => [
      { ...acting, reactor: 'not told yet', position: null },
      { ...acting, reactor: 'at the first', position: first! },
      { ...acting, reactor: 'at the end', position: last! },
      { ...acting, reactor: 'of other events', position: first!, types: [MailAbandoned.type] },
      { ...acting, reactor: 'halted', state: 'halted', position: first!, stoppedMilliseconds: 5 } as const,
      { ...acting, reactor: 'elsewhere', state: 'standby', position: null } as const,
    ];
    overview.end();
    now += 2 * MINUTE;
    overview = started({ reactors });
    expect(await lags()).toEqual({
      'reactor-lag:not told yet': [null],
      'reactor-lag:at the first': [120],
      'reactor-lag:at the end': [0],
      'reactor-lag:of other events': [0],
      'reactor-lag:halted': [120],
      'reactor-lag:elsewhere': [null],
    });
  });

  it('takes the other figures while the log cannot be read', async () => {
    await write();
    await write();
    const [first] = await positions();
    jest.spyOn(stores.log.store, 'readAll').mockImplementation(() => {
      throw new EventStoreUnavailableError('The store does not answer', false);
    });
    const waiting = { mails: { count: 3, since: now }, notifications: { count: 4, since: now } };
    restartWithTimer({
      reactors: () => [{ ...acting, reactor: 'one', position: first! }],
      waiting: () => Promise.resolve(waiting),
    });
    await eventually(
      () => Promise.resolve(overview.waiting),
      ({ mails }) => mails > 0,
    );
    expect(overview.waiting).toEqual({ mails: 3, notifications: 4 });
    jest.mocked(stores.log.store.readAll).mockRestore();
    expect((await sampled()).figures).toMatchObject({ mails: [3], 'reactor-lag:one': [null] });
    tick();
    await eventually(
      () => overview.report(now - 1),
      (answer) => answer!.samples.at.length === 2,
    );
    expect(await lags()).toEqual({ 'reactor-lag:one': [null, 0] });
  });

  it('knows what waits even while the log does not answer', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<null>((resolve) => (answer = () => resolve(null)));
    jest.spyOn(stores.log.store, 'head').mockReturnValue(answered);
    const waiting = { mails: { count: 3, since: now }, notifications: { count: 4, since: now } };
    restartWithTimer({ waiting: () => Promise.resolve(waiting) });
    await eventually(
      () => Promise.resolve(overview.waiting),
      ({ mails }) => mails > 0,
    );
    expect(overview.waiting).toEqual({ mails: 3, notifications: 4 });
    answer();
  });

  it('takes one sample at a time, of the moment at which it was complete', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const nothing = { count: 0, since: null };
    const waiting = jest.fn(async () => {
      await answered;
      return { mails: nothing, notifications: nothing };
    });
    const before = now;
    restartWithTimer({ waiting });
    await write();
    await write();
    now += 10_000;
    tick();
    tick();
    expect(waiting).toHaveBeenCalledTimes(1);
    answer();
    const { at, figures } = await sampled(before);
    expect({ at, events: figures['events'] }).toEqual({ at: [before + 10_000], events: [0.2] });
    tick();
    expect(waiting).toHaveBeenCalledTimes(2);
  });
});

const acting = {
  state: 'acting',
  types: [MessageSent.type],
  stoppedMilliseconds: 0,
  stoppage: null,
} as const;

/** Positions of all events. */
async function positions(): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { events } of stores.log.store.readAll({ after: null }))
    found.push(...events.map(({ position }) => position));
  return found;
}

/** The samples after a time, by default those of now, once there are any. */
async function sampled(since = now - 1): Promise<Samples> {
  const report = await eventually(
    () => overview.report(since),
    (answer) => answer!.samples.at.length > 0,
  );
  return report!.samples;
}

type Samples = NonNullable<Awaited<ReturnType<Overview['report']>>>['samples'];

/** The lags of reactors in the samples of now. */
async function lags(): Promise<Samples['figures']> {
  const { figures } = await sampled();
  return Object.fromEntries(Object.entries(figures).filter(([name]) => name.startsWith('reactor-lag:')));
}

/** Takes the next sample. */
let tick: () => void;

/** Starts the overview anew, so that only {@link tick} takes further samples. */
function restartWithTimer(over: Partial<Sources>): void {
  overview.end();
  const { setInterval } = globalThis;
  const timer = jest.spyOn(globalThis, 'setInterval').mockImplementationOnce((callback: () => void) => {
    tick = callback;
    return setInterval(() => undefined, MINUTE);
  });
  stores.log.observe((overview = started(over)));
  timer.mockRestore();
}
