import { describe, expect, it } from '@jest/globals';
import type { Query } from '@nestjs/cqrs';
import { shapeOf } from '../../src/contexts/messages/narrow/narrow-cost.js';
import { operatorNames, parseNarrow, type Term } from '../../src/contexts/messages/narrow/terms.js';
import { FindFlagsPage } from '../../src/contexts/messages/queries/flags.js';
import { GetMessages, MatchNarrow } from '../../src/contexts/messages/queries/get-messages.js';
import { readerQuery } from '../../src/node/reader-queries.js';
import type { PooledTask } from '../../src/reader-threads/pooled-task.js';
import type { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import type { CallersQuery } from '../../src/reader-threads/reader-query.js';
import { ThreadedReaders } from '../../src/reader-threads/readers.js';
import { standIn } from '../support/stand-in.js';

/** What people wrote: names, addresses, words and ids, none of which may be part of a shape. */
const secrets = ['payroll', 'redundancies', 'ada@example.com', 'bo@example.com', 'layoffs', '4711'];

const narrow: readonly Term[] = parseNarrow([
  { operator: 'channel', operand: 'payroll' },
  { operator: 'topic', operand: 'redundancies' },
  { operator: 'sender', operand: 'ada@example.com', negated: true },
  ['dm-including', 'bo@example.com'],
  { operator: 'search', operand: '"layoffs payroll" redundancies' },
  { operator: 'search', operand: 'layoffs', negated: true },
  { operator: 'has', operand: 'layoffs' },
  { operator: 'id', operand: 4711 },
]);
const shape = '[channel topic -sender dm-including search -search has id]';

function expectNoSecret(text: string): void {
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

describe('The shape of a narrow', () => {
  it('has its operators in order, and says which are negated', () => {
    expect(shapeOf(narrow)).toBe(shape);
    expect(shapeOf([])).toBe('[]');
  });

  it.each(operatorNames)('has no operand of %s', (operator) => {
    for (const operand of secrets)
      for (const negated of [false, true]) {
        const shown = shapeOf(parseNarrow([{ operator, operand, negated }]));
        expect(shown).toMatch(negated ? /^\[-[a-z-]+\]$/ : /^\[[a-z][a-z-]*\]$/);
        expectNoSecret(shown);
      }
  });

  it('has no id of a list', () => {
    expect(shapeOf(parseNarrow([{ operator: 'dm', operand: [4711, 4712] }]))).toBe('[dm]');
  });
});

describe('What the log says of a slow query', () => {
  const caller = { userId: 3, client: 'website', requestId: 'one' };
  const anchor = { type: 'id', id: 1 } as const;

  /** The task that a reader thread gets for a query. */
  async function taskOf(query: object): Promise<PooledTask> {
    const tasks: PooledTask[] = [];
    const run = async (task: PooledTask): Promise<object> => {
      tasks.push(task);
      return { type: 'done', result: null, reply: null };
    };
    const readers = new ThreadedReaders(standIn<ReaderPool>({ run }), readerQuery, (userId) => userId);
    await readers.ask(standIn<CallersQuery & Query<unknown>>(query));
    return tasks[0]!;
  }

  it.each([
    [
      new GetMessages(caller, {
        selection: { type: 'range', anchor, includeAnchor: true, before: 1, after: 0 },
        narrow,
        format: { applyMarkdown: true, clientGravatar: true, allowEmptyTopicName: true },
      }),
      `range ${shape}`,
    ],
    [
      new GetMessages(caller, {
        selection: { type: 'ids', ids: [4711] },
        narrow,
        format: { applyMarkdown: true, clientGravatar: true, allowEmptyTopicName: true },
      }),
      `ids ${shape}`,
    ],
    [new MatchNarrow(caller, [4711], narrow), shape],
    [
      new FindFlagsPage(caller, {
        change: { op: 'add', flag: 'starred' },
        narrow,
        page: { anchor, includeAnchor: true, before: 1, after: 0 },
      }),
      shape,
    ],
  ])('has the shape of its narrow, and nothing that people wrote: %#', async (query, wanted) => {
    const { kind, shape: shown } = await taskOf(query);
    expect(shown).toBe(wanted);
    expectNoSecret(`${kind} ${shown}`);
  });
});
