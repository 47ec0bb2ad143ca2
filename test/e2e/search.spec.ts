import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, bo, boId, owner } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

let channelId: number;

beforeAll(async () => {
  channelId = await ada.createChannel('looms');
  await ada.createChannel('hidden', { invite_only: true });
});

async function send(
  content: string,
  { topic = 'threads', to = 'looms' }: { topic?: string; to?: string | number[] } = {},
): Promise<number> {
  const addressee = Array.isArray(to) ? { type: 'direct', to } : { type: 'channel', to, topic };
  return (await ada.must('post', 'messages', { ...addressee, content }))['id'] as number;
}

const inLooms = { operator: 'channel', operand: 'looms' };

async function page(
  client: ApiClient,
  narrow: readonly object[],
  request: Record<string, unknown> = {},
): Promise<Reply> {
  return client.must('get', 'messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow,
    ...request,
  });
}

async function found(operand: string, client = ada, ...terms: readonly object[]): Promise<readonly number[]> {
  const { messages } = await page(client, [...terms, { operator: 'search', operand }]);
  return (messages as Reply[]).map(({ id }) => id as number);
}

describe('a search', () => {
  it('finds messages by words in the text or the topic, with any letter case and ending', async () => {
    const one = await send('Two shuttles flying');
    const other = await send('nothing of note', { topic: 'the flying shuttle' });
    expect(await found('shuttle')).toEqual([one, other]);
    expect(await found('SHUTTLES fly')).toEqual([one, other]);
    expect(await found('shuttle note')).toEqual([other]);
    expect(await found('shuttle steam')).toEqual([]);
  });

  it('matches words in quotation marks as a phrase', async () => {
    const one = await send('the warp beam turns');
    await send('the beam of the warp');
    expect(await found('"warp beam"')).toEqual([one]);
    expect(await found('turns "warp beam"')).toEqual([one]);
    expect(await found('"Warp Beam" heddle')).toEqual([]);
  });

  it('joins with other searches and other terms, and leaves out what is unwanted', async () => {
    const one = await send('bobbin red', { topic: 'one' });
    const other = await send('bobbin blue', { topic: 'two' });
    expect(await found('bobbin', ada, { operator: 'search', operand: 'red' })).toEqual([one]);
    expect(await found('bobbin', ada, { operator: 'topic', operand: 'two' })).toEqual([other]);
    expect(await found('bobbin', ada, { operator: 'search', operand: 'red', negated: true })).toEqual([
      other,
    ]);
    const { messages } = await page(ada, [
      inLooms,
      { operator: 'topic', operand: 'one' },
      { operator: 'search', operand: 'bobbin', negated: true },
    ]);
    expect(messages).toEqual([]);
  });

  it('marks matches in the HTML of the text, and in the topic', async () => {
    const id = await send('a **treadle** & <more> treadles', { topic: '<treadle>' });
    const { messages } = await page(ada, [{ operator: 'search', operand: 'treadle' }], {
      apply_markdown: false,
    });
    const marked = {
      match_content:
        '<p>a <strong><span class="highlight">treadle</span></strong> &amp; &lt;more&gt; ' +
        '<span class="highlight">treadles</span></p>',
      match_subject: '&lt;<span class="highlight">treadle</span>&gt;',
    };
    expect(messages).toMatchObject([{ id, content: 'a **treadle** & <more> treadles', ...marked }]);
    const narrow = [{ operator: 'search', operand: 'treadle' }];
    const other = await send('nothing');
    expect(await ada.must('get', 'messages/matches_narrow', { msg_ids: [id, other], narrow })).toEqual({
      result: 'success',
      msg: '',
      messages: { [id]: marked },
    });
    const byIds = await ada.must('get', 'messages', { message_ids: [id, other], narrow });
    expect(byIds['messages']).toMatchObject([{ id, ...marked }]);
  });

  it('finds only what the person may read', async () => {
    const secret = await send('quipu in secret', { to: 'hidden' });
    const letter = await send('quipu for Bo', { to: [boId] });
    const open = await send('quipu for all');
    expect(await found('quipu')).toEqual([secret, letter, open]);
    expect(await found('quipu', bo)).toEqual([letter]);
    expect(await found('quipu', bo, inLooms)).toEqual([open]);
  });

  it('follows edits, moves and deletions', async () => {
    const id = await send('a distaff', { topic: 'spindles' });
    await ada.must('patch', `messages/${id}`, { content: 'a bobbin winder' });
    expect(await found('distaff')).toEqual([]);
    expect(await found('winder')).toEqual([id]);
    expect(await found('spindle')).toEqual([id]);
    await ada.must('patch', `messages/${id}`, { topic: 'carding', send_notification_to_new_thread: false });
    expect(await found('spindle')).toEqual([]);
    expect(await found('carding winder')).toEqual([id]);
    await owner.must('delete', `messages/${id}`);
    expect(await found('winder')).toEqual([]);
    expect(await found('carding')).toEqual([]);
  });

  it('reads in pages around an anchor', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await send(`weft ${count}`));
    const narrow = [{ operator: 'search', operand: 'weft' }];
    const around = await page(ada, narrow, { anchor: ids[3], num_before: 2, num_after: 1 });
    expect((around['messages'] as Reply[]).map(({ id }) => id as number)).toEqual(ids.slice(1, 5));
    expect(around).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    const first = await page(ada, narrow, { anchor: 'oldest', num_before: 0, num_after: 2 });
    expect((first['messages'] as Reply[]).map(({ id }) => id as number)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ found_oldest: true, found_newest: false });
  });

  it('looks past many that another term leaves out', async () => {
    const wanted = await send('selvedge wanted', { topic: 'rare' });
    await Promise.all(Array.from({ length: 60 }, (_, count) => send(`selvedge ${count}`)));
    expect(await found('selvedge', ada, { operator: 'topic', operand: 'rare' })).toEqual([wanted]);
    expect(await found('selvedge wanted')).toEqual([wanted]);
  });

  it('finds nothing by words that stand everywhere', async () => {
    await send('what is this about');
    expect(await found('what is this')).toEqual([]);
  });

  it('matches messages by their text', async () => {
    const id = await send('heddle');
    await send('no such thing');
    const reply = await ada.must('post', 'messages/flags/narrow', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      op: 'add',
      flag: 'starred',
      narrow: [{ operator: 'search', operand: 'heddles' }],
    });
    expect(reply).toMatchObject({ processed_count: 1, updated_count: 1, first_processed_id: id });
  });

  it.each([
    ['', 'BAD_REQUEST'],
    ['   ', 'BAD_REQUEST'],
    [7, 'BAD_REQUEST'],
  ])('is not for %j', async (operand, code) => {
    const narrow = [{ operator: 'search', operand }];
    const answer = await ada.get('messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('which messages a narrow matches', () => {
  it('can be requested without a search, and only for messages that the person may read', async () => {
    const id = await send('plain', { topic: 'a & b' });
    const hidden = await send('plain', { to: 'hidden' });
    const narrow = [inLooms];
    const { messages } = await bo.must('get', 'messages/matches_narrow', {
      msg_ids: [id, hidden, 99_999],
      narrow,
    });
    expect(messages).toEqual({ [id]: { match_content: '<p>plain</p>', match_subject: 'a &amp; b' } });
  });

  it.each([
    [{ narrow: [] }, 'REQUEST_VARIABLE_MISSING'],
    [{ msg_ids: [1] }, 'REQUEST_VARIABLE_MISSING'],
    [{ msg_ids: 'x', narrow: [] }, 'BAD_REQUEST'],
    [{ msg_ids: [1], narrow: [{ operator: 'no', operand: 'x' }] }, 'BAD_NARROW'],
  ])('is refused for %j', async (parameters, code) => {
    const { status, body } = await ada.get('messages/matches_narrow', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe('a text is rendered', () => {
  it('as if the caller sent it', async () => {
    const { rendered } = await ada.must('post', 'messages/render', {
      content: '**G** for @**Bo** in #**looms**',
    });
    expect(rendered).toBe(
      `<p><strong>G</strong> for <span class="user-mention" data-user-id="${boId}">@Bo</span> in ` +
        `<a class="stream" data-stream-id="${channelId}" href="/#narrow/channel/${channelId}-looms">#looms</a></p>`,
    );
    const { rendered: foreign } = await bo.must('post', 'messages/render', { content: '#**hidden**' });
    expect(foreign).toBe('<p>#<strong>hidden</strong></p>');
  });

  it('and is refused if it is missing or blank', async () => {
    expect((await ada.post('messages/render')).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expect((await ada.post('messages/render', { content: ' ' })).status).toBe(400);
  });
});
