import type { JudgedClient } from './judged-client.js';
import { sampleText } from './sample-messages.js';

/** The channel that people use, and its messages. */
export interface UsedChannel {
  readonly channelId: number;
  /** Id of the first message of the long conversation. */
  readonly firstId: number;
  readonly messages: number;
}

const channelName = 'archive';
const pageOnEitherSide = 50;

/**
 * Uses a server until the signal is aborted: two people write and immediately check for what they wrote, one
 * changes personal data, and two read all parts of the long conversation and check every message.
 */
export async function useConstantly(
  client: JudgedClient,
  channel: UsedChannel,
  signal: AbortSignal,
): Promise<void> {
  const again = async (task: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !signal.aborted; round += 1) await task(round);
  };
  await Promise.all([
    again((round) => write(client, channel, `live one ${round}`)),
    again((round) => write(client, channel, `live two ${round}`)),
    again((round) => tend(client, channel, round)),
    again((round) => read(client, channel, (round * 7919) % channel.messages)),
    again((round) => read(client, channel, (round * 104_729) % channel.messages)),
  ]);
}

/**
 * Sends a message, checks that it is on the newest page of all messages and of the topic, edits it and checks
 * again.
 */
async function write(client: JudgedClient, { channelId }: UsedChannel, content: string): Promise<void> {
  const topic = content.slice(0, 'live one'.length);
  const sent = await client.ask('post', 'messages', { type: 'stream', to: channelName, topic, content });
  if (sent === null) return;
  const { id } = sent;
  const newest = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
  client.expect(await client.ask('get', 'messages', newest), `sent ${id}`, ({ messages }) =>
    messages.some((message: WrittenMessage) => message.id === id && message.content === content),
  );
  client.expect(await client.ask('get', `users/me/${channelId}/topics`), `topic of ${id}`, ({ topics }) =>
    topics.some((one: { name: string; max_id: number }) => one.name === topic && one.max_id >= id),
  );
  const edited = `${content}, better said`;
  if ((await client.ask('patch', `messages/${id}`, { content: edited })) === null) return;
  client.expect(
    await client.ask('get', `messages/${id}`, { apply_markdown: false }),
    `edit of ${id}`,
    ({ message }) => message.content === edited,
  );
}

/** Changes a star, an alert word, a draft and a name, and immediately checks each change. */
async function tend(
  client: JudgedClient,
  { channelId, firstId, messages }: UsedChannel,
  round: number,
): Promise<void> {
  const starred = firstId + ((round * 31) % messages);
  await client.ask('post', 'messages/flags', { messages: [starred], op: 'add', flag: 'starred' });
  client.expect(await client.ask('get', `messages/${starred}`), `star on ${starred}`, ({ message }) =>
    message.flags.includes('starred'),
  );
  const word = `word${round}`;
  await client.ask('post', 'users/me/alert_words', { alert_words: [word] });
  client.expect(await client.ask('get', 'users/me/alert_words'), word, ({ alert_words: words }) =>
    words.includes(word),
  );
  await client.ask('delete', 'users/me/alert_words', { alert_words: [word] });
  const content = `draft ${round}`;
  const draft = { type: 'stream', to: [channelId], topic: 'later', content };
  const saved = await client.ask('post', 'drafts', { drafts: [draft] });
  client.expect(await client.ask('get', 'drafts'), content, ({ drafts }) =>
    drafts.some((one: { content: string }) => one.content === content),
  );
  if (saved !== null) await client.ask('delete', `drafts/${saved['ids'][0]}`);
  const fullName = `Owner the ${round}th`;
  await client.ask('patch', 'settings', { full_name: fullName });
  client.expect(await client.ask('get', 'users/me'), fullName, (user) => user['full_name'] === fullName);
}

/** Reads a page of the long conversation, and checks that every message is there with its original text. */
async function read(client: JudgedClient, { firstId, messages }: UsedChannel, place: number): Promise<void> {
  const anchor = firstId + place;
  const page = { anchor, num_before: pageOnEitherSide, num_after: pageOnEitherSide, apply_markdown: false };
  const lowest = Math.max(firstId, anchor - pageOnEitherSide);
  const highest = Math.min(firstId + messages - 1, anchor + pageOnEitherSide);
  client.expect(await client.ask('get', 'messages', page), `page around ${anchor}`, (reply) => {
    const found = new Map<number, string>(
      (reply['messages'] as WrittenMessage[]).map(({ id, content }) => [id, content]),
    );
    for (let id = lowest; id <= highest; id += 1) {
      if (found.get(id) !== sampleText(id - firstId)) return false;
    }
    return true;
  });
}

interface WrittenMessage {
  readonly id: number;
  readonly content: string;
}
