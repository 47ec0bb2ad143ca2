import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { messageCount, setCostlyStage, type CostlyStage } from './hostile/costly-stage.js';

// Some thousand messages are made first, and edited a few hundred times.
let stage: CostlyStage;

beforeAll(async () => {
  stage = await setCostlyStage();
});

afterAll(async () => {
  await stage.clear();
});

type Parameters = Readonly<Record<string, unknown>>;

/** Asks for messages as clients do with what is long. */
function messages(parameters: Parameters): Promise<Answer> {
  return stage.requester.post('messages', { method: 'GET', ...parameters });
}

function page(parameters: Parameters): Promise<Answer> {
  return messages({ anchor: 'newest', num_before: 100, num_after: 0, ...parameters });
}

function narrowed(operator: string, operand: unknown, negated = false): Promise<Answer> {
  return page({ narrow: [{ operator, operand, negated }] });
}

function send(content: string): Promise<Answer> {
  return stage.requester.post('messages', { type: 'channel', to: stage.lab, topic: 'heavy', content });
}

function render(content: string): Promise<Answer> {
  return stage.requester.post('messages/render', { content });
}

function subscribe(channels: number, principals: readonly number[]): Promise<Answer> {
  const subscriptions = numbers(channels).map((number) => ({ name: `new ${number}` }));
  return stage.owner.post('users/me/subscriptions', { subscriptions, principals });
}

function historyOf(message: keyof CostlyStage['edited']): Promise<Answer> {
  return stage.requester.get(`messages/${stage.edited[message]}/history`);
}

/** Somebody who sends a write again while the server lags behind so many others, as clients do. */
function patient({ site, credentials }: ApiClient): ApiClient {
  return new ApiClient(site, credentials);
}

function flag(op: string): Promise<Answer> {
  return patient(stage.requester).post('messages/flags', { messages: numbers(5_000), op, flag: 'starred' });
}

/** Begins like a JPEG, and never says how large it is. */
function endlessPicture(): Promise<Answer> {
  const bytes = Buffer.alloc(5_000_000, 0xff);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]).copy(bytes);
  return stage.requester.upload('users/me/avatar', new File([bytes], 'picture.jpg'));
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

function words(length: number): string {
  return numbers(length)
    .map((number) => number.toString(36))
    .join(' ');
}

const hugeTable = `${'|'.repeat(2_000)}\n${'|'.repeat(2_000)}\n${'a\n'.repeat(2_899)}a`;
const rules = `${'---\n'.repeat(2_499)}|#`;

type Refusal = readonly [status: number, code: string, msg: string];

const badRequest = (msg: string): Refusal => [400, 'BAD_REQUEST', msg];
const badNarrow = (msg: string): Refusal => [400, 'BAD_NARROW', `Invalid narrow operator: ${msg}`];
const unrenderable = badRequest('Unable to render message');
const tooManySubscriptions = `Too many subscriptions in one request: people times channels (limit: ${budgets.subscriptionsOfRequest.max}).`;

describe('What is over its budget is refused', () => {
  it.each<readonly [string, () => Promise<Answer>, Refusal]>([
    ['a table of 5.8 million cells', () => send(hugeTable), unrenderable],
    ['the same, to be looked at', () => render(hugeTable), unrenderable],
    [
      'the same, instead of a short text',
      () => stage.requester.patch(`messages/${stage.edited.letters}`, { content: hugeTable }),
      unrenderable,
    ],
    ['2,499 rules before what is no table', () => render(rules), unrenderable],
    [
      'a search of 16,000 words',
      () => narrowed('search', words(16_000)),
      badNarrow(`operand is longer than ${budgets.narrowOperand.max} characters`),
    ],
    [
      'a search of 200 words',
      () => narrowed('search', words(200)),
      badNarrow(`search has more than ${budgets.searchWords.max} words`),
    ],
    [
      'a conversation of 1,001 people',
      () => narrowed('dm', numbers(1_001)),
      badNarrow(`more than ${budgets.narrowPeople.max} people`),
    ],
    ['600 people in 100 new channels', () => subscribe(100, numbers(600)), badRequest(tooManySubscriptions)],
    [
      '5,001 messages by their ids',
      () => messages({ message_ids: numbers(5_001) }),
      badRequest(`Too many messages requested (maximum ${budgets.messagesOfRequest.max}).`),
    ],
    [
      'a picture of 5 MB that is none',
      endlessPicture,
      [400, 'BAD_IMAGE', 'Could not decode image; did you upload an image file?'],
    ],
    [
      'JSON that is deeper than any stack',
      () => page({ narrow: `${'['.repeat(150_000)}${']'.repeat(150_000)}` }),
      badRequest('narrow is nested too deeply'),
    ],
  ])('%s', async (_what, ask, refusal) => {
    const { status, body } = await ask();
    expect([status, body.code, body.msg]).toEqual(refusal);
  });
});

/** So many of the same at once, so that there is a while in which others may ask. */
function times(many: number, ask: () => Promise<Answer>): () => readonly Promise<Answer>[] {
  return () => Array.from({ length: many }, ask);
}

function once(ask: () => Promise<Answer>): () => readonly Promise<Answer>[] {
  return times(1, ask);
}

/** Bytes of a reply. */
function sizeOf({ body }: Answer): number {
  return Buffer.byteLength(JSON.stringify(body));
}

function expectSuccess({ status, body }: Answer): void {
  expect([status, body.msg]).toEqual([200, '']);
}

/** A page, and little besides. */
function expectPage(answer: Answer): void {
  expectSuccess(answer);
  expect(sizeOf(answer)).toBeLessThan(budgets.pageBytes.max + 10_000);
}

function expectHistory(answer: Answer): void {
  expectSuccess(answer);
  const { message_history: history } = answer.body;
  expect((history as readonly object[]).length).toBeLessThanOrEqual(budgets.historyEntries.max + 1);
  // Each text stands there with its HTML and its differences.
  expect(sizeOf(answer)).toBeLessThan(4 * budgets.historyBytes.max);
}

/** Whether a request of somebody else, sent after these, is answered before the last of them is. */
async function isAnsweredMeanwhile(asked: readonly Promise<Answer>[]): Promise<boolean> {
  let isOver = false;
  const over = Promise.allSettled(asked).then(() => {
    isOver = true;
  });
  await stage.bystander.must('get', 'users/me');
  const isFirst = !isOver;
  await over;
  return isFirst;
}

const fewHave: readonly (readonly [operator: string, operand: string])[] = [
  ...['mentioned', 'alerted', 'resolved', 'unread', 'starred', 'followed'].map(
    (operand) => ['is', operand] as const,
  ),
  ...['link', 'image', 'attachment', 'reaction'].map((operand) => ['has', operand] as const),
];

describe('What is within its budget is answered, and others are answered first', () => {
  it.each<readonly [string, () => readonly Promise<Answer>[], (answer: Answer) => void]>([
    ['the 5,000 newest', times(3, () => page({ num_before: 5_000 })), expectPage],
    [
      '5,000 around the middle',
      times(3, () => page({ anchor: messageCount / 2, num_before: 2_500, num_after: 2_500 })),
      expectPage,
    ],
    ['what few messages have', () => [...fewHave, ...fewHave].map((pair) => narrowed(...pair)), expectPage],
    ['what most messages have not', () => fewHave.map((pair) => narrowed(...pair, true)), expectPage],
    ['a search that leaves out a common word', times(3, () => narrowed('search', 'warp', true)), expectPage],
    [
      'a phrase of common words that nobody wrote',
      times(100, () => narrowed('search', `"${'weft warp '.repeat(15)}"`)),
      expectPage,
    ],
    [
      'initial states with everything unread',
      times(10, () => stage.requester.post('register')),
      expectSuccess,
    ],
    ['the history of 100 edits of random letters', times(3, () => historyOf('letters')), expectHistory],
    ['the history of 48 edits of a table', times(20, () => historyOf('tables')), expectHistory],
    ['the history of 40 edits of emoji', times(3, () => historyOf('emoji')), expectHistory],
    ['the page in which those are', times(10, () => page({ num_before: 10 })), expectPage],
    ['40 people in 500 new channels', once(() => subscribe(500, stage.people)), expectSuccess],
    ['pages of the log', times(3, () => stage.owner.get('audit/log', { limit: 1_000 })), expectSuccess],
    [
      'the flag of 5,000 messages, again and again',
      () => ['add', 'remove', 'add', 'remove', 'add', 'remove'].map((op) => flag(op)),
      expectSuccess,
    ],
    [
      'a topic of 5,200 messages moved',
      once(() =>
        patient(stage.owner).patch(`messages/${messageCount}`, {
          topic: 'elsewhere',
          propagate_mode: 'change_all',
        }),
      ),
      expectSuccess,
    ],
    [
      'the newest 1,000 messages of a topic deleted',
      once(() => patient(stage.owner).post(`streams/${stage.lab}/delete_topic`, { topic_name: 'elsewhere' })),
      ({ body }) => expect(body).toEqual({ result: 'success', msg: '', complete: false }),
    ],
  ])('%s', async (_what, ask, check) => {
    const asked = ask();
    expect(await isAnsweredMeanwhile(asked)).toBe(true);
    for (const answer of await Promise.all(asked)) check(answer);
  });
});
