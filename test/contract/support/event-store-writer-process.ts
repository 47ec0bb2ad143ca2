import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { someEvent, someEvents } from './event-store-events.js';

/** Appends without end from many sides, and prints what was acknowledged. */
const store = openEmbeddedEventStore({ file: process.argv[2]! });

async function write(writer: number): Promise<never> {
  for (;;) {
    const events =
      writer % 5 === 0 ? someEvents(3) : [someEvent('Written', { text: 'x'.repeat(writer * 100) })];
    const { revision } = await store.append('messages', 'any', events);
    process.stdout.write(
      events.map(({ id }, index) => `${revision - events.length + 1 + index} ${id}\n`).join(''),
    );
  }
}

await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)));
