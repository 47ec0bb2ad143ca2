import { beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { ada, adaId, owner } from '../support/ada-and-bo.js';
import type { Reply } from '../support/api-client.js';

// A hundred messages come to more than one reply may hold.
const { max } = budgets.pageBytes;
/** About 190 kilobytes of HTML. */
const large = '⌚'.repeat(2_200);
const count = 100;
const ids: number[] = [];

beforeAll(async () => {
  await owner.createChannel('lab', { principals: [adaId] });
  const send = async (): Promise<number> => {
    return ada.sendToChannel('lab', 'emoji', large);
  };
  while (ids.length < count) ids.push(...(await Promise.all([send(), send(), send(), send()])));
  ids.sort((one, other) => one - other);
});

const inLab = [
  { operator: 'channel', operand: 'lab' },
  { operator: 'topic', operand: 'emoji' },
];

async function page(parameters: Record<string, unknown>): Promise<Reply> {
  return ada.must('get', 'messages', { narrow: inLab, ...parameters });
}

function ends({ found_oldest, found_newest }: Reply): object {
  return { found_oldest, found_newest };
}

function idsIn({ messages }: Reply): readonly number[] {
  return (messages as readonly { id: number }[]).map(({ id }) => id);
}

function bytesOf({ messages }: Reply): number {
  return Buffer.byteLength(JSON.stringify(messages));
}

describe('A page of messages that is too large for one reply', () => {
  it('ends farthest from its anchor, on both sides', async () => {
    const middle = ids[count / 2]!;
    const found = await page({ anchor: middle, num_before: count, num_after: count });
    expect(ends(found)).toEqual({ found_oldest: false, found_newest: false });
    expect(found['found_anchor']).toBe(true);
    expect(bytesOf(found)).toBeLessThanOrEqual(max);
    expect(bytesOf(found)).toBeGreaterThan(max - 2 * budgets.renderedHtml.max);
    const listed = idsIn(found);
    const from = ids.indexOf(listed[0]!);
    expect(listed).toEqual(ids.slice(from, from + listed.length));
    const [below, above] = [listed.indexOf(middle), listed.length - 1 - listed.indexOf(middle)];
    expect(Math.abs(below - above)).toBeLessThanOrEqual(1);
  });

  it('ends early on the requested side, and the next page continues from there', async () => {
    const newest = await page({ anchor: 'newest', num_before: count, num_after: 0 });
    expect(ends(newest)).toEqual({ found_oldest: false, found_newest: true });
    const listed = idsIn(newest);
    expect(listed).toEqual(ids.slice(count - listed.length));
    const rest = await page({ anchor: listed[0], include_anchor: false, num_before: count, num_after: 0 });
    expect(ends(rest)).toEqual({ found_oldest: true, found_newest: false });
    expect([...idsIn(rest), ...listed]).toEqual(ids);
    const oldest = await page({ anchor: 'oldest', num_before: 0, num_after: count });
    expect(ends(oldest)).toEqual({ found_oldest: true, found_newest: false });
    expect(idsIn(oldest)).toEqual(ids.slice(0, listed.length));
  });

  it('is refused when the messages are named, saying how many fit', async () => {
    const { status, body } = await ada.get('messages', { message_ids: ids });
    expect(status).toBe(400);
    const fitting = Number(body['fitting']);
    expect(body).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg: `These messages are too large for one reply: only the first ${fitting} fit.`,
      fitting,
    });
    expect(idsIn(await ada.must('get', 'messages', { message_ids: ids.slice(0, fitting) }))).toEqual(
      ids.slice(0, fitting),
    );
    const oneMore = await ada.get('messages', { message_ids: ids.slice(0, fitting + 1) });
    expect(oneMore.status).toBe(400);
  });

  it('is refused when it is asked which of many messages a narrow lets through', async () => {
    const ask = { msg_ids: ids, narrow: inLab };
    const refused = await ada.get('messages/matches_narrow', ask);
    expect(refused.status).toBe(400);
    const fitting = Number(refused.body['fitting']);
    const { messages } = await ada.must('get', 'messages/matches_narrow', {
      ...ask,
      msg_ids: ids.slice(0, fitting),
    });
    expect(Object.keys(messages as object).length).toBe(fitting);
  });
});

describe('A message that was edited over and over', () => {
  const edits = 30;
  let id: number;

  beforeAll(async () => {
    const sent = { type: 'channel', to: 'lab', topic: 'edits', content: large };
    ({ id } = (await ada.must('post', 'messages', sent)) as Reply & { id: number });
    for (let edit = 1; edit <= edits; edit += 1) {
      await ada.must('patch', `messages/${id}`, { content: large.slice(edit) });
    }
  });

  interface Entry {
    readonly content: string;
    readonly prev_content?: string;
    readonly prev_rendered_content?: string;
  }

  function sizeOf(entries: readonly Entry[]): number {
    return entries
      .map(({ prev_content = '', prev_rendered_content = '' }) => prev_content + prev_rendered_content)
      .join('').length;
  }

  it('has a history of its newest versions, as many as there is room for', async () => {
    const reply = await ada.must('get', `messages/${id}/history`);
    const history = reply['message_history'] as readonly Entry[];
    const { max: max } = budgets.historyBytes;
    expect(sizeOf(history)).toBeLessThanOrEqual(max);
    expect(sizeOf(history)).toBeGreaterThan(max - 2 * budgets.renderedHtml.max);
    const lengths = history.map(({ content }) => content.length);
    expect(lengths).toEqual(history.map((_, index) => large.length - edits + history.length - 1 - index));
    expect(history[0]?.prev_content?.length).toBe(lengths[0]! + 1);
  });

  it('has the same in a page, with less room', async () => {
    const { messages } = await ada.must('get', 'messages', { message_ids: [id] });
    const [message] = messages as readonly { edit_history: readonly Entry[] }[];
    const history = message!.edit_history;
    expect(history.length).toBeGreaterThan(0);
    expect(sizeOf(history)).toBeLessThanOrEqual(budgets.historyBytesInPage.max);
    expect(history[0]?.prev_content?.length).toBe(large.length - edits + 1);
  });
});

describe('Messages that a request names', () => {
  it.each([
    ['get', 'messages', 'message_ids', {}],
    ['get', 'messages/matches_narrow', 'msg_ids', { narrow: [] }],
    ['post', 'messages/flags', 'messages', { op: 'add', flag: 'read' }],
  ] as const)('have a maximum number: %s %s', async (...[method, path, name, parameters]) => {
    const max = budgets.messagesOfRequest.max;
    const many = (length: number): readonly number[] => Array<number>(length).fill(ids[0]!);
    const replies = await Promise.all(
      [max, max + 1].map((length) => ada[method](path, { ...parameters, [name]: many(length) })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  });
});
