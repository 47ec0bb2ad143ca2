import { describe, expect, it } from '@jest/globals';
import { Directory } from '../../src/access/directory.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { AddressedEvent, Mapper } from '../../src/realtime/mapper.js';
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

/** A dispatcher with one queue, and what it did. */
class Dispatched {
  readonly queues = new EventQueues();
  readonly delivered: AddressedEvent[] = [];
  readonly logged: object[] = [];
  failures = 0;
  readonly dispatcher: PageDispatcher;

  /** @param read reads for events of the type `Read` */
  constructor(read: () => Promise<unknown>) {
    const told: Mapper<RecordedEvent> = {
      clientEvents: ({ position }) => [{ to: 'everyone', event: standIn({ type: 'told', position }) }],
    };
    const log = (fields: object): void => {
      this.logged.push(fields);
    };
    const options = {
      log: { decode: (events: readonly PersistedEvent[]) => Promise.resolve(events) },
      models: {},
      mappers: new Map<string, Mapper<RecordedEvent>>([
        ['Read', { ...told, read }],
        ['Plain', told],
      ]),
      queues: this.queues,
      delivery: {
        deliver: (events: readonly AddressedEvent[]) => {
          this.delivered.push(...events);
          return Promise.resolve();
        },
      },
      logger: { info: log, warn: log, error: log },
      failures: { clientEventFailed: () => (this.failures += 1) },
      timeOf: () => 0,
    };
    this.dispatcher = new PageDispatcher(standIn<PageDispatcherOptions>(options), new Directory(), -1);
    this.queues.open(3, queueOptions);
  }

  get positions(): readonly unknown[] {
    return this.delivered.map(({ event }) => standIn<{ position: number }>(event).position);
  }

  dispatch(...events: readonly (readonly [position: number, type: string])[]): Promise<void> {
    const stored = events.map(([position, type]) => ({
      id: `event ${position}`,
      type,
      stream: 'a',
      position,
      data: { text: CONTENT },
      metadata: { commandId: String(position) },
    }));
    return this.dispatcher.dispatch(standIn<readonly PersistedEvent[]>(stored));
  }
}

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
