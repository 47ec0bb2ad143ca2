import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { adapters, type EventStoreAdapter, type EventStoreFixture } from './event-store-fixtures.js';

/** What a test of the contract starts from. */
export interface Given {
  /** One log, for all tests of the suite: each uses streams of its own. */
  readonly store: EventStore;
  /** A further connection to the same log. */
  open(): EventStore;
  /** Another log, which the test closes. */
  readonly start: EventStoreAdapter['start'];
}

/** Holds every adapter of the port to the same tests. */
export function describeEventStores(what: string, define: (given: Given) => void): void {
  describe.each(adapters)(`${what}: $name`, ({ start }) => {
    let fixture: EventStoreFixture;
    let store: EventStore;

    beforeAll(async () => {
      fixture = await start();
      store = fixture.open();
    });

    afterAll(async () => {
      await fixture.close();
    });

    define({
      get store() {
        return store;
      },
      open: () => fixture.open(),
      start,
    });
  });

  if (!process.env['EVENTSTORE_URL']) {
    it.skip(`${what}: eventstoredb, on a real server (not run: EVENTSTORE_URL is not set)`, () => undefined);
  }
}
