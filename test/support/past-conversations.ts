import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { PastAnswer, PastQuery } from '../../src/audit/past/past-api.js';
import { openPast } from '../../src/cli/audit/past.js';
import { withLog } from '../../src/cli/audit/reading-log.js';
import { processTerminal } from '../../src/cli/terminal.js';
import { readConfiguration } from '../../src/config.js';
import { AttentionReader } from '../../src/contexts/attention/attention-reader.js';
import { messageAccess } from '../../src/contexts/messages/access.js';
import { readersAmong } from '../../src/contexts/messages/flags/read-receipts.view.js';
import { MessageReader } from '../../src/contexts/messages/message-reader.js';
import { EmailLookup } from '../../src/access/email-lookup.js';
import type { MessageDocument } from '../../src/contexts/messages/message-document.js';
import type { PastNode } from '../../src/node/past-node.js';
import { openPastApi } from '../../src/node/past-api.js';

/** The answers of complete read models of the past at one position. */
export interface WholePast {
  /** In the order of the queries. */
  readonly answers: readonly PastAnswer[];
  /** All messages that existed, whoever could see them. */
  readonly messages: readonly Pick<
    MessageDocument,
    '_id' | 'channelId' | 'topic' | 'conversation' | 'content'
  >[];
  /** For each of these messages: who could see it, how, and whether they had read it. */
  readonly audiences: readonly (readonly [
    messageId: number,
    people: readonly (readonly [userId: number, access: string, hasRead: boolean])[],
  ])[];
}

/** Computed from the directory and the models of messages and flags at that time. */
async function audiencesIn(
  { models, follower, clock, stores }: PastNode,
  messages: readonly MessageDocument[],
): Promise<WholePast['audiences']> {
  const emails = new EmailLookup(stores.vault);
  const reader = new MessageReader(models, follower, emails, clock, new AttentionReader(models));
  const snapshot = { directory: follower.current(), now: clock.now() };
  const placements = await reader.placements();
  const active = [...snapshot.directory.users()].filter(({ isActive }) => isActive);
  const flags = await reader.flagsOfAll(active.map(({ id }) => id));
  return messages.map((message) => {
    const people = active.filter(({ id }) => message.participantIds?.includes(id) ?? true);
    const readers = readersAmong(people, message, { snapshot, placements, flags });
    const seeing = people.flatMap((user) => {
      const access = messageAccess({ snapshot, user, placements }, message);
      return access === 'none' ? [] : [[user.id, access, readers.includes(user.id)] as const];
    });
    return [message._id, seeing.sort(([one], [other]) => one - other)] as const;
  });
}

/**
 * A program that builds the read models of the past at each position of the JSON on its standard input, answers every
 * query, and prints the results.
 */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const { positions, queries } = JSON.parse(readFileSync(0, 'utf8')) as {
    readonly positions: readonly number[];
    readonly queries: readonly PastQuery[];
  };
  await withLog(configuration, async (stores) => {
    const terminal = processTerminal({ json: true });
    const found: WholePast[] = [];
    for (const position of positions) {
      const node = await openPast({ configuration, stores, terminal }, { position });
      const api = await openPastApi(node);
      const answers: PastAnswer[] = [];
      for (const query of queries) answers.push(await api.ask(query));
      const model = await node.models.get('messages');
      const messages = await model.collection<MessageDocument>('messages').find({}, { sort: { _id: 1 } });
      const shown = messages.map(({ _id, channelId, topic, conversation, content }) => ({
        _id,
        channelId,
        topic,
        conversation,
        content,
      }));
      found.push({ answers, messages: shown, audiences: await audiencesIn(node, messages) });
      await api.close();
      await node.close();
    }
    await terminal.print(JSON.stringify(found));
  });
}

await main();
