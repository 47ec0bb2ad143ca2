import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

/** Its HTML is some twenty times as long. */
const LONG_AS_HTML = ':tada: '.repeat(1_400);

let server: TestServer;
let person: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  ({ client: person } = await server.createUser(await server.owner(), 'Ada Quill'));
});

afterAll(() => server.stop());

function tooLong(list: string): object {
  return { status: 400, body: { msg: `Your ${list} are too long altogether.` } };
}

const due = (): number => Math.floor(Date.now() / 1000) + 86_400;

/** Makes items until one is refused; returns the ids of the others, and the refusal. */
async function fill(make: () => ReturnType<ApiClient['post']>, field: string) {
  const ids: number[] = [];
  for (;;) {
    const reply = await make();
    if (reply.status !== 200) return { ids, refusal: reply };
    ids.push(reply.body[field] as number);
  }
}

describe('The size of a list of a person', () => {
  it('limits drafts, also when one changes', async () => {
    const content = 'x'.repeat(10_000);
    const draft = { type: 'private', to: [], topic: '', content };
    const half = budgets.listCharacters.max / content.length / 2;
    const drafts = JSON.stringify(Array(half).fill(draft));
    const saved = await person.must('post', 'drafts', { drafts });
    const [firstId, secondId] = saved['ids'] as number[];
    await person.must('post', 'drafts', { drafts });
    const short = JSON.stringify([{ ...draft, content: 'short' }]);
    expect(await person.post('drafts', { drafts: short })).toMatchObject(tooLong('drafts'));
    const change = (text: string) =>
      person.patch(`drafts/${firstId}`, { draft: JSON.stringify({ ...draft, content: text }) });
    expect(await change(content.slice(1))).toMatchObject({ status: 200 });
    expect(await change(content)).toMatchObject({ status: 200 });
    await change('');
    await person.must('delete', `drafts/${secondId}`);
    expect(await person.post('drafts', { drafts: short })).toMatchObject({ status: 200 });
  });

  it('limits snippets', async () => {
    const content = 'x'.repeat(10_000);
    const create = () => person.post('saved_snippets', { title: 'long', content });
    const { ids, refusal } = await fill(create, 'saved_snippet_id');
    expect(ids).toHaveLength(budgets.listCharacters.max / content.length);
    expect(refusal).toMatchObject(tooLong('saved snippets'));
    await person.must('patch', `saved_snippets/${ids[0]}`, { content: 'short' });
    expect(await person.patch(`saved_snippets/${ids[1]}`, { content })).toMatchObject({ status: 200 });
  });

  it('limits reminders by the HTML that they show', async () => {
    const message = {
      type: 'direct',
      to: JSON.stringify([person.credentials!.email]),
      content: LONG_AS_HTML,
    };
    const { id } = await person.must('post', 'messages', message);
    const remind = () =>
      person.post('reminders', { message_id: id, scheduled_delivery_timestamp: due(), note: '' });
    const { ids, refusal } = await fill(remind, 'reminder_id');
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.length).toBeLessThan(20);
    expect(refusal).toMatchObject(tooLong('reminders'));
    await person.must('delete', `reminders/${ids[0]}`);
    expect(await remind()).toMatchObject({ status: 200 });
    const { body } = await person.get('reminders');
    expect(JSON.stringify(body['reminders']).length).toBeLessThan(2 * budgets.listCharacters.max);
  });

  it('limits scheduled messages by the HTML that they show, also when one changes', async () => {
    const { user_id: ownId } = await person.must('get', 'users/me');
    const request = { type: 'direct', to: JSON.stringify([ownId]) };
    const schedule = () =>
      person.post('scheduled_messages', {
        ...request,
        content: LONG_AS_HTML,
        scheduled_delivery_timestamp: due(),
      });
    const { ids, refusal } = await fill(schedule, 'scheduled_message_id');
    expect(ids.length).toBeLessThan(20);
    expect(refusal).toMatchObject(tooLong('scheduled messages'));
    await person.must('patch', `scheduled_messages/${ids[0]}`, { content: 'short' });
    expect(await schedule()).toMatchObject({ status: 200 });
    expect(await person.patch(`scheduled_messages/${ids[0]}`, { content: LONG_AS_HTML })).toMatchObject(
      tooLong('scheduled messages'),
    );
  });
});
