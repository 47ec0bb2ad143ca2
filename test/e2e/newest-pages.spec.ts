import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

const COUNT = 20;
const ids: number[] = [];

beforeAll(async () => {
  await owner.createChannel('lab', { principals: [adaId, boId] });
  while (ids.length < COUNT) ids.push(await send(`message ${ids.length}`));
});

function send(content: string): Promise<number> {
  return ada.sendToChannel('lab', 'here', content);
}

interface Message {
  readonly id: number;
  readonly content: string;
  readonly edit_history?: readonly unknown[];
}

const newest = { anchor: 'newest', num_before: COUNT, num_after: 0 };
const inLab = [{ operator: 'channel', operand: 'lab' }];

/** How many pages reader threads have answered. */
async function answeredByThreads(): Promise<number> {
  const text = await (await fetch(`${server.site}/metrics`)).text();
  return Number(
    /^palimpsest_query_duration_seconds_count\{query="GetMessages"\} (\d+)$/m.exec(text)?.[1] ?? 0,
  );
}

/** The page, and by how many answers of reader threads it came. */
async function ask(
  client: ApiClient,
  parameters: Record<string, unknown>,
): Promise<{ readonly reply: Reply; readonly messages: readonly Message[]; readonly byThreads: number }> {
  const before = await answeredByThreads();
  const reply = await client.must('get', 'messages', parameters);
  const byThreads = (await answeredByThreads()) - before;
  return { reply, messages: reply['messages'] as readonly Message[], byThreads };
}

describe('A page of the newest messages', () => {
  it.each([
    ['everything', {}],
    ['a channel', { narrow: inLab }],
  ])('of %s is answered on the request thread once they are in memory, as before', async (_name, narrow) => {
    // Who answers the first time depends on what was asked for before.
    const first = await ask(ada, { ...newest, ...narrow });
    expect(first.messages.map(({ id }) => id)).toEqual(ids);
    for (let time = 0; time < 2; time += 1) {
      const again = await ask(ada, { ...newest, ...narrow });
      expect(again.reply).toEqual(first.reply);
      expect(again.byThreads).toBe(0);
    }
  });

  it('is answered on the request thread also for another reader of the same messages', async () => {
    const { messages, byThreads } = await ask(bo, newest);
    expect(messages.map(({ id }) => id)).toEqual(ids);
    expect(byThreads).toBe(0);
  });

  it('includes a message that was just sent, without a reader thread', async () => {
    ids.shift();
    ids.push(await send('one more'));
    const { messages, byThreads } = await ask(ada, newest);
    expect(messages.map(({ id }) => id)).toEqual(ids);
    expect(byThreads).toBe(0);
  });

  it('includes edits at once and omits deleted messages', async () => {
    const [edited, deleted] = [ids[3]!, ids[5]!];
    await ada.must('patch', `messages/${edited}`, { content: 'changed' });
    const { messages, byThreads } = await ask(bo, newest);
    expect(byThreads).toBe(0);
    const shown = messages.find(({ id }) => id === edited);
    expect(shown).toMatchObject({ content: '<p>changed</p>' });
    expect(shown?.edit_history).toHaveLength(1);
    await owner.must('delete', `messages/${deleted}`);
    const { messages: left } = await ask(bo, newest);
    expect(left.map(({ id }) => id)).not.toContain(deleted);
  });

  it('is answered by a reader thread when it has more than a few edited messages', async () => {
    for (const id of ids.slice(-3)) await ada.must('patch', `messages/${id}`, { content: 'changed, too' });
    const { messages, byThreads } = await ask(ada, newest);
    expect(messages.filter(({ edit_history: history }) => history !== undefined).length).toBeGreaterThan(2);
    expect(byThreads).toBe(1);
  });
});

describe('A reader thread answers', () => {
  it.each([
    ['a search', { ...newest, narrow: [{ operator: 'search', operand: 'message' }] }],
    ['a narrow to one’s own flags', { ...newest, narrow: [{ operator: 'is', operand: 'starred' }] }],
    ['a negated term', { ...newest, narrow: [{ operator: 'channel', operand: 'lab', negated: true }] }],
    ['a page at the first unread message', { ...newest, anchor: 'first_unread' }],
    ['a large page', { ...newest, num_before: 101 }],
  ])('%s', async (_name, parameters) => {
    expect((await ask(ada, parameters)).byThreads).toBe(1);
    expect((await ask(ada, parameters)).byThreads).toBe(1);
  });
});
