import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { messagesProjection } from '../../projections/messages.projection.js';
import { noAttention, type Attention } from '../../src/contexts/attention/attention.state.js';
import { knowsEveryone } from '../../src/access/known-people.js';
import { visibilityPolicies } from '../../src/events/attention.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import { noFlags } from '../../src/contexts/messages/flags/flags.state.js';
import { readPage } from '../../src/contexts/messages/narrow/page.js';
import { parseNarrow } from '../../src/contexts/messages/narrow/terms.js';
import { QuerySession } from '../../src/contexts/messages/query-session.js';
import { MessageCache } from '../../src/contexts/messages/view/message-cache.js';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ModelStore, ReadStore } from '../../src/stores/read-store/port.js';
import { embeddedPlace } from '../contract/support/read-store-places.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const indexes = messagesProjection.collections.find(({ name }) => name === 'messages')?.indexes ?? [];

/** Someone who is subscribed to five channels, with topics that they follow or muted and messages that they starred. */
function contextOf(organization: TestOrganization): QuerySession['context'] {
  const [me = 0, other = 0] = [organization.register(), organization.register()];
  const channels = Array.from({ length: 5 }, () => createChannel(organization, [me, other]));
  const topics: Attention['topics'] = channels.flatMap((channelId) =>
    ['a', 'b', 'c'].map((topic, index) => ({
      channelId,
      topic,
      topicKey: topic,
      policy: [visibilityPolicies.followed, visibilityPolicies.muted, visibilityPolicies.unmuted][index]!,
      changedAt: 0,
    })),
  );
  const snapshot = organization.snapshot();
  const user = snapshot.directory.user(me);
  if (user === null) throw new Error('Nobody was registered');
  return {
    snapshot,
    user,
    placements: new Placements(),
    attention: { ...noAttention, topics },
    knows: knowsEveryone,
    flags: {
      ...noFlags,
      starred: [
        { from: 3, through: 4 },
        { from: 900, through: 900 },
      ],
    },
    userByEmail: () => null,
  };
}

type Pair = readonly [operator: string, operand: string | number | readonly number[]];

const direct = 'participantIds';

/**
 * Narrows, each with what the indexes that answer it are led into by: the fields that are equated, and what a partial index holds.
 * The person is 1, somebody else 2.
 */
const narrows: readonly (readonly [readonly Pair[], readonly string[]])[] = [
  [[], ['channelId', direct]],
  [[['channel', 1]], ['channelId']],
  [
    [
      ['channel', 1],
      ['topic', 'x'],
    ],
    ['channelId,topicKey'],
  ],
  [[['topic', 'x']], ['channelId,topicKey']],
  [[['channels', 'public']], ['channelId']],
  [
    [
      ['channels', 'public'],
      ['has', 'link'],
    ],
    ['channelId where hasLink'],
  ],
  [[['sender', 2]], ['senderId,channelId', 'participantIds,senderId']],
  [
    [
      ['channel', 1],
      ['sender', 2],
    ],
    ['senderId,channelId'],
  ],
  [
    [
      ['channel', 1],
      ['topic', 'x'],
      ['sender', 2],
    ],
    ['channelId,topicKey', 'senderId,channelId'],
  ],
  [
    [
      ['is', 'dm'],
      ['sender', 2],
    ],
    ['participantIds,senderId'],
  ],
  [[['dm', [2]]], ['conversation where conversation']],
  [
    [
      ['dm', [2]],
      ['sender', 2],
    ],
    ['participantIds,senderId', 'conversation where conversation'],
  ],
  [
    [
      ['dm', [2]],
      ['has', 'image'],
    ],
    ['participantIds where hasImage', 'conversation where conversation'],
  ],
  [[['is', 'mentioned']], ['mentionedIds,channelId']],
  [
    [
      ['channel', 1],
      ['is', 'mentioned'],
    ],
    ['mentionedIds,channelId'],
  ],
  [
    [
      ['channel', 1],
      ['topic', 'x'],
      ['is', 'mentioned'],
    ],
    ['mentionedIds,channelId', 'channelId,topicKey'],
  ],
  [
    [
      ['sender', 2],
      ['is', 'mentioned'],
    ],
    ['mentionedIds,channelId', 'senderId,channelId', 'participantIds,senderId'],
  ],
  [
    [
      ['is', 'dm'],
      ['is', 'mentioned'],
    ],
    ['mentionedIds,channelId'],
  ],
  [[['mentions', 2]], ['mentionedIds,channelId']],
  [[['is', 'alerted']], ['alertedIds,channelId']],
  [
    [
      ['channel', 1],
      ['is', 'alerted'],
    ],
    ['alertedIds,channelId'],
  ],
  [[['is', 'resolved']], ['channelId where isResolved']],
  [
    [
      ['channel', 1],
      ['is', 'resolved'],
    ],
    ['channelId where isResolved'],
  ],
  [[['is', 'followed']], ['channelId,topicKey']],
  [[['is', 'muted']], ['channelId,topicKey']],
  [[['in', 'home']], ['channelId', direct]],
  [[['is', 'unread']], ['channelId', direct]],
  [
    [
      ['is', 'unread'],
      ['is', 'mentioned'],
    ],
    ['mentionedIds,channelId'],
  ],
  [
    [
      ['is', 'followed'],
      ['has', 'image'],
    ],
    ['channelId where hasImage'],
  ],
  ...(['link', 'image', 'attachment', 'reaction'] as const).flatMap((operand) => {
    const where = `where has${operand[0]!.toUpperCase()}${operand.slice(1)}`;
    const one: (typeof narrows)[number][] = [
      [[['has', operand]], [`channelId ${where}`, `participantIds ${where}`]],
      [
        [
          ['channel', 1],
          ['has', operand],
        ],
        [`channelId ${where}`],
      ],
      [
        [
          ['topic', 'x'],
          ['has', operand],
        ],
        [`channelId ${where}`],
      ],
      [
        [
          ['is', 'dm'],
          ['has', operand],
        ],
        [`participantIds ${where}`],
      ],
      [
        [
          ['channel', 1],
          ['sender', 2],
          ['has', operand],
        ],
        [`channelId ${where}`, 'senderId,channelId'],
      ],
    ];
    return one;
  }),
];

/** Narrows whose messages are looked up by their keys. */
const listed: readonly (readonly Pair[])[] = [
  [['is', 'starred']],
  [
    ['is', 'starred'],
    ['channel', 1],
  ],
  [
    ['is', 'starred'],
    ['has', 'image'],
  ],
  [['id', 900]],
];

function narrowOf(pairs: readonly Pair[]): ReturnType<typeof parseNarrow> {
  return parseNarrow(pairs.map(([operator, operand]) => ({ operator, operand })));
}

const anchors = [
  ['before the newest', { anchor: { type: 'id', id: 1e15 }, includeAnchor: true, before: 100, after: 0 }],
  ['after the oldest', { anchor: { type: 'id', id: 0 }, includeAnchor: true, before: 0, after: 100 }],
  ['around a message', { anchor: { type: 'id', id: 500 }, includeAnchor: true, before: 50, after: 50 }],
] as const;

function nameOf(pairs: readonly Pair[]): string {
  return pairs.map((pair) => pair.join(':')).join(' ') || 'everything';
}

describe('the indexes that answer narrows', () => {
  const context = contextOf(new TestOrganization());
  let place: ReturnType<typeof embeddedPlace>;
  let store: ReadStore;
  let model: ModelStore;

  beforeEach(async () => {
    place = embeddedPlace();
    store = openEmbeddedReadStore(place);
    model = await store.openModel('messages', 1, messagesProjection.collections);
    const conversation = { _id: '1,2', participantIds: [1, 2], recipientId: 3, lastMessageId: 1 };
    await model.commit({
      writes: [
        {
          collection: 'conversations',
          write: { replaceOne: { filter: { _id: '1,2' }, replacement: conversation, upsert: true } },
        },
      ],
      checkpoint: { position: 1 },
      fencingToken: 1,
    });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    await place.destroy();
  });

  /** The statements about messages that a page takes. */
  async function asked(
    pairs: readonly Pair[],
    request: (typeof anchors)[number][1],
  ): Promise<readonly string[]> {
    const session = new QuerySession(model, context, new MessageCache());
    const narrow = await session.compile(narrowOf(pairs));
    const spies = (['row', 'rows'] as const).map((name) => jest.spyOn(Connection.prototype, name));
    await readPage(narrow, request, session.search.states);
    const statements = spies.flatMap((spy) => spy.mock.calls.map(([sql]) => sql));
    jest.restoreAllMocks();
    return statements.filter((sql) => sql.includes('"messages"'));
  }

  function planOf(sql: string): readonly string[] {
    const database = new Database(join(place.directory, 'messages__v1.sqlite'));
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
    database.close();
    return steps.map(({ detail }) => detail);
  }

  describe.each(anchors)('a page %s', (_where, request) => {
    it.each(narrows.map(([pairs, leads]) => [nameOf(pairs), pairs, leads] as const))(
      '%s',
      async (_name, pairs, leads) => {
        const statements = await asked(pairs, request);
        expect(statements).not.toEqual([]);
        for (const sql of statements) {
          const plan = planOf(sql);
          expect(plan.filter((step) => /^SCAN (stored|entry|messages)/.test(step))).toEqual([]);
          expect(plan.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY'))).toEqual([]);
          const tables = [...sql.matchAll(/FROM "messages(\$\d+)" AS entry/g)].map(([, table]) => table);
          const used = plan.flatMap((step) => leadOf(step, () => tables.shift() ?? ''));
          expect(used).not.toEqual([]);
          expect(used.filter((lead) => !leads.includes(lead))).toEqual([]);
        }
      },
    );

    it.each(listed.map((pairs) => [nameOf(pairs), pairs] as const))('%s, by key', async (_name, pairs) => {
      const statements = await asked(pairs, request);
      for (const sql of statements) {
        const plan = planOf(sql);
        expect(plan.filter((step) => /^SEARCH stored/.test(step))).toEqual([
          expect.stringMatching(/(id|rowid)=\?\)$/),
        ]);
        expect(plan.filter((step) => /^SCAN (stored|entry|messages)/.test(step))).toEqual([]);
      }
    });
  });
});

const pathOf = (column: string): string =>
  column.replaceAll(/\^(\w)/g, (_, letter: string) => letter.toUpperCase());

/** By which equated fields, and into which partial index, a step of a plan leads to messages. */
function leadOf(step: string, nextTable: () => string): readonly string[] {
  const [, table, rest = ''] = /^SEARCH (stored|entry) USING (.*)$/.exec(step) ?? [];
  if (table === undefined || /\((id|rowid)=\?\)$/.test(rest)) return [];
  const equated = [...rest.matchAll(/\$([\w^]+)=\?/g)].map(([, column]) => pathOf(column ?? '')).join();
  const multikey = indexes.filter((index) => index.multikey !== undefined);
  const scalar = indexes.filter((index) => index.multikey === undefined);
  const number = /messages#(\d+)/.exec(rest)?.[1];
  const index = table === 'entry' ? multikey[Number(nextTable().slice(1))] : scalar[Number(number)];
  const [held] = Object.keys(index?.partialFilterExpression ?? {});
  return [held === undefined ? equated : `${equated} where ${held}`];
}
