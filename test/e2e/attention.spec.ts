import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

let channels = 0;

async function channel(principals: readonly number[], settings: object = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return owner.createChannel(name, { principals, ...settings });
}

async function send(to: number, topic: string, content = 'hello'): Promise<number> {
  return (await bo.must('post', 'messages', { type: 'channel', to, topic, content }))['id'] as number;
}

async function direct(client: ApiClient, to: number, content = 'hello'): Promise<number> {
  return (await client.must('post', 'messages', { type: 'direct', to: [to], content }))['id'] as number;
}

async function flags(client: ApiClient, id: number): Promise<string[]> {
  const { message } = await client.must('get', `messages/${id}`);
  return message['flags'] as string[];
}

async function narrowed(...narrow: readonly unknown[]): Promise<number[]> {
  const page = { anchor: 'newest', num_before: 1000, num_after: 0, narrow };
  const { messages } = await ada.must('get', 'messages', page);
  return (messages as Reply[]).map((message) => message['id'] as number);
}

async function choose(stream_id: number, topic: string, visibility_policy: number): Promise<void> {
  await ada.must('post', 'user_topics', { stream_id, topic, visibility_policy });
}

describe('topics of a person', () => {
  it('are followed, in any letter case, until they are unfollowed', async () => {
    const place = await channel([adaId, boId]);
    const id = await send(place, 'Engines');
    await send(place, 'other');
    await choose(place, 'eNGINES', 3);
    expect(await narrowed(['is', 'followed'])).toEqual([id]);
    await choose(place, 'Engines', 0);
    expect(await narrowed(['is', 'followed'])).toEqual([]);
    await choose(place, 'Engines', 0);
  });

  it('are heard in a muted channel, or not heard in one that is not', async () => {
    const place = await channel([adaId, boId]);
    const [loud, quiet] = [await send(place, 'loud'), await send(place, 'quiet')];
    const here = { operator: 'channel', operand: place };
    await choose(place, 'quiet', 1);
    await choose(place, 'loud', 2);
    expect(await narrowed(['in', 'home'])).toContain(loud);
    expect(await narrowed(['in', 'home'])).not.toContain(quiet);
    expect(await narrowed(here, ['is', 'muted'])).toEqual([quiet]);
    await ada.must('patch', `users/me/subscriptions/${place}`, { property: 'is_muted', value: true });
    const muted = await send(place, 'neither');
    expect(await narrowed(['in', 'home'])).toContain(loud);
    expect(await narrowed(['in', 'home'])).not.toContain(muted);
    expect(await narrowed(here, ['in', 'home'])).toEqual(expect.arrayContaining([loud, muted]));
    expect(await narrowed(here, ['in', 'home'])).not.toContain(quiet);
  });

  it('hold nothing unread to begin with where they are muted, even in their own channel', async () => {
    const place = await channel([adaId, boId]);
    await ada.must('post', 'mark_all_as_read');
    await choose(place, 'quiet', 1);
    await send(place, 'quiet');
    const heard = await send(place, 'loud');
    const page = { anchor: 'first_unread', num_before: 0, num_after: 0 };
    const narrow = [{ operator: 'channel', operand: place }];
    expect((await ada.must('get', 'messages', page))['anchor']).toBe(heard);
    expect((await ada.must('get', 'messages', { ...page, narrow }))['anchor']).toBe(heard);
  });

  it('are muted by the older call as well, by id or name, as often as one likes', async () => {
    const place = await channel([adaId, boId]);
    const id = await send(place, 'noise');
    const path = 'users/me/subscriptions/muted_topics';
    for (const method of ['post', 'patch'] as const) {
      const byId = { stream_id: place, topic: 'noise' };
      const byName = { stream: `CHANNEL ${channels}`, topic: 'Noise' };
      await ada.must(method, path, { ...byId, op: 'add' });
      await ada.must(method, path, { ...byName, op: 'add' });
      expect(await narrowed(['is', 'muted'])).toContain(id);
      await ada.must(method, path, { ...byName, op: 'remove' });
      await ada.must(method, path, { ...byId, op: 'remove' });
      expect(await narrowed(['is', 'muted'])).not.toContain(id);
    }
  });

  it('are refused where the caller cannot read, and with policies that there are not', async () => {
    const hidden = await channel([], { invite_only: true });
    const open = await channel([]);
    for (const [stream_id, visibility_policy] of [
      [hidden, 1],
      [99_999, 3],
      [open, 4],
      [open, 'x'],
    ]) {
      const { status } = await ada.post('user_topics', { stream_id, topic: 'a', visibility_policy });
      expect([stream_id, visibility_policy, status]).toEqual([stream_id, visibility_policy, 400]);
    }
    await choose(hidden, 'a', 0);
    await choose(99_999, 'a', 0);
    const missing = await ada.post('users/me/subscriptions/muted_topics', { topic: 'a', op: 'add' });
    expect(missing.body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});

describe('muted people', () => {
  it('have later and earlier messages marked as read for the person who muted them', async () => {
    const before = await direct(bo, adaId);
    await ada.must('post', `users/me/muted_users/${boId}`);
    const meanwhile = await direct(bo, adaId);
    const { status } = await ada.post(`users/me/muted_users/${boId}`);
    expect(status).toBe(400);
    await ada.must('delete', `users/me/muted_users/${boId}`);
    const after = await direct(bo, adaId);
    expect(await flags(ada, before)).toEqual(['read']);
    expect(await flags(ada, meanwhile)).toEqual(['read']);
    expect(await flags(ada, after)).toEqual([]);
    expect((await ada.delete(`users/me/muted_users/${boId}`)).status).toBe(400);
  });

  it('are others, exist, and are not the server itself', async () => {
    expect((await ada.post(`users/me/muted_users/${adaId}`)).status).toBe(400);
    const { status, body } = await ada.post('users/me/muted_users/1');
    expect([status, body.msg]).toEqual([400, 'No such user']);
    for (const method of ['post', 'delete'] as const) {
      expect((await ada[method]('users/me/muted_users/99999')).status).toBe(400);
    }
  });
});

describe('alert words', () => {
  it('are kept in the order in which they came, each once', async () => {
    const path = 'users/me/alert_words';
    const added = await bo.must('post', path, { alert_words: ['  engine ', 'Note G', 'ENGINE', ''] });
    expect(added['alert_words']).toEqual(['engine', 'Note G']);
    expect((await bo.must('post', path, { alert_words: ['engine', 'loom'] }))['alert_words']).toEqual([
      'engine',
      'Note G',
      'loom',
    ]);
    expect((await bo.must('get', path))['alert_words']).toEqual(['engine', 'Note G', 'loom']);
    const left = await bo.must('delete', path, { alert_words: ['note g', 'nothing'] });
    expect(left['alert_words']).toEqual(['engine', 'loom']);
    expect((await bo.post(path, { alert_words: 'engine' })).status).toBe(400);
    expect((await bo.post(path, { alert_words: ['x'.repeat(101)] })).status).toBe(400);
  });

  it('mark what holds them when it is written, and nothing before', async () => {
    const before = await direct(bo, adaId, 'the loom');
    await ada.must('post', 'users/me/alert_words', { alert_words: ['Loom'] });
    const whole = await direct(bo, adaId, 'a LOOM, at last');
    const part = await direct(bo, adaId, 'heirlooms');
    await ada.must('delete', 'users/me/alert_words', { alert_words: ['loom'] });
    const after = await direct(bo, adaId, 'another loom');
    expect(await flags(ada, whole)).toEqual(['has_alert_word']);
    for (const id of [before, part, after]) expect(await flags(ada, id)).toEqual([]);
    expect(await narrowed(['is', 'alerted'])).toEqual([whole]);
  });
});
