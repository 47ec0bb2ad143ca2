import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../crash/support/seeded-random.js';
import { ImpatientClient, type ApiClient } from '../../support/api-client.js';
import { sendEarlier } from '../../support/older-messages.js';
import { ServerStores } from '../../support/server-stores.js';
import { TestServer } from '../../support/server.js';

/** A server with a channel in which much was said. */
export interface CostlyStage {
  readonly owner: ApiClient;
  /** Who asks. */
  readonly requester: ApiClient;
  /** Somebody else, who asks meanwhile. */
  readonly bystander: ApiClient;
  /** Id of the channel. */
  readonly lab: number;
  /** Ids of forty accounts. */
  readonly people: readonly number[];
  readonly edited: EditedMessages;
  readonly clear: () => Promise<void>;
}

/** Ids of messages that were edited over and over. */
export interface EditedMessages {
  /** A hundred times, to letters in another order each time. */
  readonly letters: number;
  /** A table of some seven hundred cells. */
  readonly tables: number;
  /** Thousands of emoji. */
  readonly emoji: number;
}

/** How many messages there are, besides those that were edited. */
export const messageCount = 5_200;

/** With its HTML each has six thousand characters, so that a page of five thousand is more than a reply may hold. */
const longText = 'warp and weft '.repeat(200);

export async function setCostlyStage(): Promise<CostlyStage> {
  const stores = await ServerStores.open();
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-costs-'));
  const first = await TestServer.start({ stores, directory });
  const owner = await first.owner();
  const [ada, bo] = [await first.createUser(owner, 'Ada'), await first.createUser(owner, 'Bo')];
  const crowd = Array.from({ length: 38 }, (_, index) => first.createBot(owner, `crowd ${index}`));
  const people = [ada.id, bo.id, ...(await Promise.all(crowd)).map(({ id }) => id)];
  const lab = await owner.createChannel('lab', { principals: [ada.id, bo.id] });
  await first.stop();
  const recipient = { type: 'channel', channelId: lab, topic: 'threads' } as const;
  const message = { senderId: bo.id, recipient, age: 3_600, content: longText };
  await sendEarlier(directory, stores, Array<typeof message>(messageCount).fill(message));
  const server = await TestServer.start({ stores, directory });
  await server.ready();
  return {
    owner: ImpatientClient.of(owner.at(server.site)),
    requester: ImpatientClient.of(ada.client.at(server.site)),
    bystander: ImpatientClient.of(bo.client.at(server.site)),
    lab,
    people,
    edited: await editMessages(ada.client.at(server.site), lab),
    clear: async () => {
      await server.stop();
      await stores.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function editMessages(writer: ApiClient, channelId: number): Promise<EditedMessages> {
  const random = new SeededRandom(1);
  const letters = (): string => Array.from({ length: 4_900 }, () => random.pick([...'abcdefgh'])).join(' ');
  const row = (cell: string): string => `| ${`${cell} | `.repeat(8)}\n`;
  const table = (turn: number): string => `${row('a')}|${'---|'.repeat(8)}\n${row('b').repeat(75)}${turn}`;
  const emoji = (turn: number): string => `${'⌚'.repeat(2_190)}${turn}`;
  const edit = async (edits: number, text: (turn: number) => string): Promise<number> => {
    const sent = { type: 'channel', to: channelId, topic: 'edits', content: 'first' };
    const { id } = await writer.must('post', 'messages', sent);
    for (let turn = 0; turn < edits; turn += 1)
      await writer.must('patch', `messages/${id}`, { content: text(turn) });
    return id as number;
  };
  return { letters: await edit(100, letters), tables: await edit(48, table), emoji: await edit(40, emoji) };
}
