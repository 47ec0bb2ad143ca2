import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { idAtRevision } from '../../src/kernel/ids.js';
import type { Recipient } from '../../src/events/messages.js';
import type { ServerStores } from './server-stores.js';
import { openStoppedServer } from './stopped-server.js';

/** A message that was sent some time ago. */
export interface OlderMessage {
  readonly senderId: number;
  readonly recipient: Recipient;
  /** Seconds. */
  readonly age: number;
  /** Absent: one letter. */
  readonly content?: string;
}

/** Maximum number of messages of the same time in one append. */
const maxTogether = 250;

/** Writes past messages into the log of a stopped server, and returns their ids. */
export async function sendEarlier(
  directory: string,
  { environment }: ServerStores,
  messages: readonly OlderMessage[],
): Promise<number[]> {
  const stores = await openStoppedServer(directory, environment);
  const now = Date.now();
  const ids: number[] = [];
  for (const together of byTime(messages)) {
    const { senderId: actorId, age } = together[0]!;
    const { revision } = await stores.log.append(
      { stream: 'messages', expected: 'any' },
      together.map(sending),
      { actorId, commandId: randomCommandId(), causationId: null, client: 'test', at: now - age * 1000 },
    );
    ids.push(...together.map((_message, index) => idAtRevision(revision - together.length + 1 + index)));
  }
  await stores.close();
  return ids;
}

function byTime(messages: readonly OlderMessage[]): OlderMessage[][] {
  const groups: OlderMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (last?.[0]?.age === message.age && last.length < maxTogether) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

function sending({ senderId, recipient, content = 'x' }: OlderMessage): {
  readonly type: string;
  readonly data: object;
} {
  const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
  const text = { content, references: {}, mentions, readBySender: false };
  return { type: 'MessageSent', data: { senderId, recipient, ...text } };
}
