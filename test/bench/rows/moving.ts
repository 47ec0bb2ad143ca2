import { join } from 'node:path';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import type { EventStore, StoredEvent } from '../../../src/stores/event-store/port.js';
import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import type { ApiClient } from '../../support/api-client.js';
import { openEmbeddedStores } from '../../support/temporary-stores.js';
import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { createChannel } from '../support/requests.js';
import { inRounds, secondsOf, type Samples } from '../support/rounds.js';
import { sampleMessage, writeConversation } from '../support/sample-messages.js';
import { ownerOf, startProduct } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import { standIn } from '../../support/stand-in.js';

const CONCURRENT = 50;
const OWNER_ID = 3;

/** Moving a topic, which is one event regardless of the number of messages, compared to an append for each message. */
export const movingRow: BenchRow = {
  name: 'moving',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const count = quick ? 500 : 10_000;
  await writeTopic(folder, count);
  const product = await startProduct(folder);
  const bare = openEmbeddedEventStore({ file: join(folder, 'appended.sqlite') });
  try {
    const topic = new MovingTopic(await ownerOf(product, folder), count);
    const samples = await inRounds(
      { count: quick ? 1 : 3, warmUp: true },
      {
        moving: () => secondsOf(() => topic.move()),
        single: () => appendEach(bare, count, 1),
        concurrent: () => appendEach(bare, count, CONCURRENT),
      },
    );
    const beside = (what: string, theirs: Samples): ReturnType<typeof besides> =>
      besides(samples.moving, { what, samples: theirs }, { ours: 's', theirs: 's' });
    const what = `move a topic of ${count} messages and read it`;
    const work =
      'one event; from the request until both ends are read in the new topic; beside bare events, synced';
    return [
      {
        what,
        ...beside(`${count} appends, one at a time`, samples.single),
        target: { atMost: 1 },
        work,
      },
      {
        what,
        ...beside(`${count} appends, ${CONCURRENT} at a time`, samples.concurrent),
        target: null,
        work,
      },
    ];
  } finally {
    await product.stop();
    await bare.close();
  }
}

/** Creates a channel and writes a long topic to the log while the server is stopped. */
async function writeTopic(folder: string, count: number): Promise<void> {
  const product = await startProduct(folder);
  const channelId = await createChannel(await ownerOf(product, folder), 'load');
  await product.stop();
  const stores = await openEmbeddedStores(folder);
  await writeConversation(stores.log, { senderId: OWNER_ID, channelId, topic: 'topic 0' }, count);
  await stores.close();
}

/** A topic that is moved repeatedly. */
class MovingTopic {
  private moves = 0;

  constructor(
    private readonly owner: ApiClient,
    private readonly count: number,
  ) {}

  async move(): Promise<void> {
    const [first] = await this.ends();
    if (first === undefined) throw new Error('There is nothing to move');
    this.moves += 1;
    const change = {
      topic: this.topic,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    };
    await this.owner.must('patch', `messages/${first}`, change);
    // On a slow machine the reply comes before the read models have caught up, so this waits for them.
    for (let ends = await this.ends(); ; ends = await this.ends()) {
      if (ends[0] === first && ends[1]! - ends[0] >= this.count - 1) return;
    }
  }

  private get topic(): string {
    return `topic ${this.moves}`;
  }

  /** Ids of the first and the last message of the topic. */
  private ends(): Promise<readonly (number | undefined)[]> {
    const narrow = [
      ['channel', 'load'],
      ['topic', this.topic],
    ];
    return Promise.all(
      ['oldest', 'newest'].map(async (anchor) => {
        const page = { anchor, num_before: 1, num_after: 1, narrow };
        const { messages } = await this.owner.must('get', 'messages', page);
        const ids = (messages as { id: number }[]).map(({ id }) => id);
        return anchor === 'oldest' ? ids[0] : ids.at(-1);
      }),
    );
  }
}

/** Seconds that concurrent callers take to append a number of events, each in a separate append. */
async function appendEach(store: EventStore, count: number, callers: number): Promise<number> {
  const { type, data } = sampleMessage(0, { senderId: OWNER_ID, channelId: 1 });
  const waiting = Array.from({ length: count }).values();
  const append = async (): Promise<void> => {
    for (const _ of waiting) {
      const id = randomCommandId();
      const event = standIn<StoredEvent>({ id, type, data, metadata: {} });
      await store.append('messages', 'any', [event]);
    }
  };
  return secondsOf(async () => {
    await Promise.all(Array.from({ length: callers }, append));
  });
}
