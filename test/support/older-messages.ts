import { join } from 'node:path';
import { randomCommandId } from '../../src/event-store/event-id.js';
import { idAtRevision } from '../../src/kernel/ids.js';
import type { Recipient } from '../../src/messages/events.js';
import { openStores } from '../../src/stores.js';
import type { ServerStores } from './server-stores.js';

/** A message that was sent some time ago. */
export interface OlderMessage {
  readonly senderId: number;
  readonly recipient: Recipient;
  /** Seconds. */
  readonly age: number;
}

/** So many are on their way to the log at once; they arrive in their order. */
const appendsTogether = 200;

/** Writes messages into the log of a server that does not run, as it would have long ago, and answers their ids. */
export async function sendEarlier(
  directory: string,
  { environment }: ServerStores,
  messages: readonly OlderMessage[],
): Promise<number[]> {
  const stores = await openStores({
    dataDirectory: directory,
    eventStoreUrl: environment['EVENTSTORE_URL'] ?? null,
    mongodbUrl: environment['MONGODB_URL'] ?? null,
    serverKeyFile: join(directory, 'server.key'),
    s3: null,
  });
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const text = { content: 'x', references: {}, mentions, readBySender: false };
  const ids: number[] = [];
  for (let first = 0; first < messages.length; first += appendsTogether) {
    const sendings = messages.slice(first, first + appendsTogether).map(({ senderId, recipient, age }) => {
      const sent = { type: 'MessageSent', data: { senderId, recipient, ...text } };
      return stores.log.append({ stream: 'messages', expected: 'any' }, [sent], {
        actorId: senderId,
        commandId: randomCommandId(),
        causationId: null,
        client: 'test',
        at: Date.now() - age * 1000,
      });
    });
    ids.push(...(await Promise.all(sendings)).map(({ revision }) => idAtRevision(revision)));
  }
  await stores.close();
  return ids;
}
