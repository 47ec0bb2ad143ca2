import { describe, expect, it } from '@jest/globals';
import { Directory } from '../../src/access/directory.js';
import { Metrics } from '../../src/http/monitoring/metrics.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { ClientEvent } from '../../src/realtime/client-event.js';
import { Delivery, type FailedReceivers } from '../../src/realtime/delivery.js';
import type { AddressedEvent, Mapper, Receiver } from '../../src/realtime/mapper.js';
import { PageDispatcher, type PageDispatcherOptions } from '../../src/realtime/page-dispatcher.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { PersistedEvent } from '../../src/stores/event-store/port.js';
import { ReadStoreUnavailableError } from '../../src/stores/read-store/port.js';
import { standIn } from '../support/stand-in.js';

const queueOptions = {
  ...requestedOptionsOf({}, undefined),
  allPublicChannels: false,
  narrow: everyMessage,
};

const CONTENT = 'what somebody wrote';

/** Rejects if one of the events is damaged. */
function decode(events: readonly PersistedEvent[]): Promise<readonly PersistedEvent[]> {
  const damaged = events.find(({ data }) => data['isDamaged'] === true);
  return damaged === undefined
    ? Promise.resolve(events)
    : Promise.reject(new SyntaxError(`Unexpected token in ${CONTENT}`));
}

/** A dispatcher with one queue, and what it did. */
class Dispatched {
  readonly queues = new EventQueues();
  readonly delivered: AddressedEvent[] = [];
  readonly logged: object[] = [];
  failures = 0;
  readonly metrics = new Metrics();
  failed: FailedReceivers | null = null;
  /** How far the directory that requests are answered with has come. */
  directoryPosition = -1;
  readonly dispatcher: PageDispatcher;

  /** @param read reads for events of the type `Read` */
  constructor(read: () => Promise<unknown> = () => Promise.resolve(null)) {
    const told: Mapper<RecordedEvent> = {
      clientEvents: ({ position }) => [{ to: 'everyone', event: standIn({ type: 'told', position }) }],
    };
    const log = (fields: object): void => {
      this.logged.push(fields);
    };
    const options = {
      log: { decode },
      follower: { current: () => ({ position: this.directoryPosition }) },
      models: {},
      mappers: new Map<string, Mapper<RecordedEvent>>([
        ['Read', { ...told, read }],
        ['ReadMany', { ...told, read, readsMany: true }],
        ['Plain', told],
      ]),
      queues: this.queues,
      delivery: {
        deliver: (events: readonly AddressedEvent[]) => {
          this.delivered.push(...events);
          return Promise.resolve(this.failed);
        },
      },
      logger: { info: log, warn: log, error: log },
      failures: {
        clientEventFailed: () => {
          this.failures += 1;
          this.metrics.clientEventFailed();
        },
      },
      timeOf: () => 0,
    };
    this.dispatcher = new PageDispatcher(standIn<PageDispatcherOptions>(options), new Directory(), -1);
    this.queues.open(3, queueOptions);
  }

  get positions(): readonly unknown[] {
    return this.delivered.map(({ event }) => standIn<{ position: number }>(event).position);
  }

  dispatch(
    ...events: readonly (readonly [position: number, type: string, isDamaged?: boolean])[]
  ): Promise<void> {
    const stored = events.map(([position, type, isDamaged = false]) => ({
      id: `event ${position}`,
      type,
      stream: 'a',
      position,
      data: { text: CONTENT, isDamaged },
      metadata: { commandId: String(position) },
    }));
    return this.dispatcher.dispatch(standIn<readonly PersistedEvent[]>(stored));
  }
}

describe('An event whose mapper reads very many documents', () => {
  it('is mapped before the next one is read', async () => {
    const positionsAtRead: (readonly unknown[])[] = [];
    const page = new Dispatched(() => {
      positionsAtRead.push(page.positions);
      return Promise.resolve(null);
    });
    await page.dispatch([1, 'Read'], [2, 'ReadMany'], [3, 'Read'], [4, 'ReadMany'], [5, 'Plain']);
    expect(positionsAtRead).toEqual([[], [], [1, 2], [1, 2]]);
    expect(page.positions).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not dispatched twice when a store did not answer for a later one', async () => {
    let reads = 0;
    const page = new Dispatched(() => {
      reads += 1;
      return reads === 2 ? Promise.reject(new ReadStoreUnavailableError('down')) : Promise.resolve(null);
    });
    const events = [[1, 'ReadMany'] as const, [2, 'ReadMany'] as const];
    await expect(page.dispatch(...events)).rejects.toThrow('down');
    expect(page.dispatcher.position).toBe(1);
    await page.dispatch(...events);
    expect(page.positions).toEqual([1, 2]);
  });
});

describe('An event of the log whose mapper fails', () => {
  it('ends the queues that are open, is logged and counted once, and the feed goes on', async () => {
    const page = new Dispatched(() => Promise.reject(new TypeError(`cannot read ${CONTENT}`)));
    await page.dispatch([1, 'Plain'], [2, 'Read']);
    expect(page.positions).toEqual([1]);
    expect(page.queues.size).toBe(0);
    expect(page.failures).toBe(1);
    expect(page.logged).toEqual([
      expect.objectContaining({ event: 'event 2', type: 'Read', position: 2 }) as object,
    ]);
    expect(JSON.stringify(page.logged)).not.toContain(CONTENT);
    expect(page.dispatcher.position).toBe(2);
    page.queues.open(3, queueOptions);
    await page.dispatch([3, 'Plain']);
    expect(page.positions).toEqual([1, 3]);
  });

  it('is counted in the metrics', async () => {
    const page = new Dispatched(() => Promise.reject(new TypeError('never')));
    const counted = async (): Promise<string> => page.metrics.registry.metrics();
    expect(await counted()).toMatch(/^palimpsest_client_event_failures_total 0$/m);
    await page.dispatch([1, 'Read'], [2, 'Plain']);
    page.queues.open(3, queueOptions);
    await page.dispatch([3, 'Read']);
    expect(await counted()).toMatch(/^palimpsest_client_event_failures_total 2$/m);
  });

  it('is told when a further try succeeds', async () => {
    let tries = 0;
    const page = new Dispatched(() => {
      tries += 1;
      return tries < 3 ? Promise.reject(new TypeError('not yet')) : Promise.resolve(null);
    });
    await page.dispatch([1, 'Read'], [2, 'Plain']);
    expect(page.positions).toEqual([1, 2]);
    expect([page.failures, page.queues.size, page.logged.length]).toEqual([0, 1, 0]);
  });

  it('is not given up while a store does not answer', async () => {
    let isDown = true;
    const page = new Dispatched(() =>
      isDown ? Promise.reject(new ReadStoreUnavailableError('down')) : Promise.resolve(null),
    );
    for (let tries = 0; tries < 10; tries += 1)
      await expect(page.dispatch([1, 'Read'], [2, 'Plain'])).rejects.toThrow('down');
    expect([page.failures, page.queues.size, page.positions.length]).toEqual([0, 1, 0]);
    isDown = false;
    await page.dispatch([1, 'Read'], [2, 'Plain']);
    expect(page.positions).toEqual([1, 2]);
  });
});

describe('An event of the log that cannot be decoded', () => {
  it('ends the queues, is logged without content and counted, and the feed goes on', async () => {
    const page = new Dispatched();
    await page.dispatch([1, 'Plain'], [2, 'Plain', true], [3, 'Plain']);
    expect(page.positions).toEqual([1]);
    expect([page.queues.size, page.failures, page.logged.length]).toEqual([0, 1, 1]);
    expect(page.logged).toEqual([
      expect.objectContaining({ event: 'event 2', type: 'Plain', position: 2 }) as object,
    ]);
    expect(JSON.stringify(page.logged)).not.toContain(CONTENT);
    expect(page.dispatcher.position).toBe(3);
    page.queues.open(3, queueOptions);
    await page.dispatch([4, 'Plain']);
    expect(page.positions).toEqual([1, 4]);
  });

  it('is waited for while the directory has not passed it, if it decides who may receive others', async () => {
    const page = new Dispatched();
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(page.dispatch([2, 'UserDeactivated', true], [3, 'Plain'])).rejects.toThrow('event 2');
      if (page.queues.size === 0) page.queues.open(3, queueOptions);
    }
    expect([page.queues.size, page.failures, page.logged.length]).toEqual([1, 1, 1]);
    page.directoryPosition = 2;
    await page.dispatch([2, 'UserDeactivated', true], [3, 'Plain']);
    expect(page.positions).toEqual([3]);
    expect([page.queues.size, page.failures]).toEqual([1, 1]);
  });
});

describe('A client that an event cannot be made for', () => {
  const users = standIn<Directory>({ user: (id: number) => ({ id, isActive: true }) });
  const event = ({ user }: Receiver): ClientEvent => {
    if (user.id === 4) throw new TypeError(CONTENT);
    return standIn<ClientEvent>({ type: 'told' });
  };

  it.each([
    [7, 'ends', 1],
    [null, 'stays', 2],
  ])(
    'whose event is at position %s: its queue %s, and the others get the event',
    async (position, _, left) => {
      const queues = new EventQueues();
      for (const userId of [3, 4]) queues.open(userId, queueOptions);
      const delivery = new Delivery(queues);
      const source = { position, after: 6 };
      const failed = await delivery.deliver([{ to: 'everyone', event }], { directory: users, source });
      expect(failed).toEqual({ count: 1, error: new TypeError(CONTENT) });
      expect(queues.size).toBe(left);
      expect(queues.bytes).toBeGreaterThan(0);
    },
  );

  it('is logged without content and counted', async () => {
    const page = new Dispatched();
    page.failed = { count: 2, error: new TypeError(CONTENT) };
    await page.dispatch([1, 'Plain'], [2, 'Plain']);
    expect(page.positions).toEqual([1, 2]);
    expect([page.queues.size, page.failures]).toEqual([1, 2]);
    expect(page.logged[0]).toMatchObject({ event: 'event 1', queues: 2 });
    expect(JSON.stringify(page.logged)).not.toContain(CONTENT);
  });
});
