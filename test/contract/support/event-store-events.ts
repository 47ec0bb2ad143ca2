import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../src/kernel/json.js';
import type {
  EventPage,
  EventStore,
  PersistedEvent,
  StoredEvent,
} from '../../../src/stores/event-store/port.js';

/** An event with an id of its own. */
export function someEvent(type = 'SomethingHappened', data: JsonObject = {}): StoredEvent {
  return { id: randomUUID(), type, data, metadata: { at: 1 } };
}

/** So many events, numbered in their data. */
export function someEvents(count: number, type?: string): StoredEvent[] {
  return Array.from({ length: count }, (_, number) => someEvent(type, { number }));
}

/** A name that nothing else uses, for a stream or a type: a real server's log outlives the test. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

export function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map((event) => event.id);
}

/** A whole stream. */
export async function readWholeStream(store: EventStore, stream: string): Promise<PersistedEvent[]> {
  const events: PersistedEvent[] = [];
  for (;;) {
    const page = await store.readStream(stream, { from: events.length, limit: 512 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Every event of the pages. */
export async function eventsOf(pages: AsyncIterable<EventPage>): Promise<PersistedEvent[]> {
  const events: PersistedEvent[] = [];
  for await (const page of pages) events.push(...page.events);
  return events;
}

/** What a subscription has delivered so far, with a way to wait for more. */
export interface Follower {
  readonly pages: readonly EventPage[];
  readonly events: readonly PersistedEvent[];
  /** Resolves once what was delivered satisfies a condition. */
  until(condition: (follower: Follower) => boolean): Promise<void>;
  /** Ends the subscription; rejects with what it failed with. */
  stop(): Promise<void>;
}

/** Follows the log behind a position in the background. */
export function follow(
  store: EventStore,
  options: { readonly after: number | null; readonly types?: readonly string[]; readonly pageSize?: number },
): Follower {
  const ending = new AbortController();
  const pages: EventPage[] = [];
  const events: PersistedEvent[] = [];
  let wake: () => void = () => undefined;
  const running = (async () => {
    for await (const page of store.subscribeAll({ ...options, signal: ending.signal })) {
      pages.push(page);
      events.push(...page.events);
      wake();
    }
  })();
  const follower: Follower = {
    pages,
    events,
    async until(condition) {
      while (!condition(follower)) {
        await Promise.race([running.then(refuseEnd), new Promise<void>((resolve) => (wake = resolve))]);
      }
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
  return follower;
}

function refuseEnd(): never {
  throw new Error('The subscription ended before the condition was met');
}

/** Resolves once a condition holds that nothing announces. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}
