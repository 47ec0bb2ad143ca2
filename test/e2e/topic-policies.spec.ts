import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { ApiClient, type Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { eventually } from '../support/eventually.js';
import { soon } from '../support/soon.js';

let gil: ApiClient;
let gilId: number;

beforeAll(async () => {
  ({ client: gil, id: gilId } = await server.createUser(owner, 'Gil'));
  await owner.must('patch', `users/${gilId}`, { role: 600 });
});

let channels = 0;

async function channel(settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return ada.createChannel(name, { principals: [adaId, boId, gilId], ...settings });
}

function send(to: number, topic: string, { client = ada, content = 'x' } = {}): Promise<Reply> {
  return client.must('post', 'messages', { type: 'channel', to, topic, content });
}

/** The topics of a channel in which a person hears of messages as they said, without repetition. */
async function topics(channelId: number, is: 'followed' | 'muted', client = ada): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'is', operand: is },
  ];
  const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow };
  const { messages } = await client.must('get', 'messages', page);
  return [...new Set((messages as Reply[]).map((message) => message['subject'] as string))];
}

async function choose(
  stream_id: number,
  chosen: readonly [topic: string, policy: number],
  client = ada,
): Promise<void> {
  const [topic, visibility_policy] = chosen;
  await client.must('post', 'user_topics', { stream_id, topic, visibility_policy });
}

const all = { propagate_mode: 'change_all', send_notification_to_new_thread: false };

describe('a topic that moves as a whole', () => {
  it('takes along who follows and who mutes it', async () => {
    const [from, to] = [await channel(), await channel()];
    const { id } = await send(from, 'looms', { client: owner });
    await choose(from, ['LOOMS', 3], ada);
    await choose(from, ['looms', 1], bo);
    await owner.must('patch', `messages/${id}`, { topic: 'weaving', stream_id: to, ...all });
    expect([await topics(to, 'followed'), await topics(to, 'muted', bo)]).toEqual([['weaving'], ['weaving']]);
    await send(from, 'looms', { client: owner });
    expect([await topics(from, 'followed'), await topics(from, 'muted', bo)]).toEqual([[], []]);
  });

  it('takes along who follows it when it is resolved', async () => {
    const to = await channel();
    const { id } = await send(to, 'looms', { client: owner });
    await choose(to, ['looms', 3]);
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', ...all });
    expect(await topics(to, 'followed')).toEqual(['✔ looms']);
  });

  it('leaves them where messages stay', async () => {
    const to = await channel();
    const { id } = await send(to, 'looms', { client: owner });
    await send(to, 'looms', { client: owner });
    await choose(to, ['looms', 3]);
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...all, propagate_mode: 'change_one' });
    expect(await topics(to, 'followed')).toEqual(['looms']);
  });

  it.each(['change_one', 'change_later'])('takes them along with %s where no message stays', async (mode) => {
    const to = await channel();
    const { id } = await send(to, 'looms', { client: owner });
    if (mode === 'change_later') await send(to, 'looms', { client: owner });
    await choose(to, ['looms', 3]);
    await owner.must('patch', `messages/${id}`, { topic: 'weaving', ...all, propagate_mode: mode });
    expect(await topics(to, 'followed')).toEqual(['weaving']);
  });

  it.each(['change_later', 'change_one'])(
    'leaves them in a protected history where %s leaves what the mover can see',
    async (propagate_mode) => {
      const from = await channel({ invite_only: true, history_public_to_subscribers: false });
      await send(from, 'looms');
      const { id } = await send(from, 'looms', { client: bo });
      await choose(from, ['looms', 1], bo);
      await ada.must('patch', `messages/${id}`, { ...all, topic: 'weaving', propagate_mode });
      expect(await topics(from, 'muted', bo)).toEqual(['looms']);
      expect(await topics(from, 'followed', ada)).toEqual(['looms']);
    },
  );

  it('lets people hear more where others were already', async () => {
    const to = await channel();
    const { id } = await send(to, 'looms', { client: owner });
    await send(to, 'weaving', { client: owner });
    await choose(to, ['looms', 1]);
    await choose(to, ['looms', 3], bo);
    await choose(to, ['weaving', 1], bo);
    await owner.must('patch', `messages/${id}`, { topic: 'weaving', ...all });
    expect(await topics(to, 'muted')).toEqual([]);
    expect(await topics(to, 'followed', bo)).toEqual(['weaving']);
  });

  it('leaves behind those who lose it', async () => {
    const [from, to] = [await channel(), await channel({ principals: [adaId] })];
    const { id } = await send(from, 'looms', { client: owner });
    await choose(from, ['looms', 3], gil);
    await choose(from, ['looms', 3], bo);
    await owner.must('patch', `messages/${id}`, { stream_id: to, ...all });
    const name = `channel ${channels}`;
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [gilId, boId],
    });
    const policies = async (client: ApiClient): Promise<unknown> =>
      (await client.must('post', 'register', { fetch_event_types: ['user_topic'] }))['user_topics'];
    expect(await policies(gil)).toEqual([]);
    // The message is not Bo's own any more, though he may see it: narrows to what he follows leave it out.
    expect(await policies(bo)).toContainEqual(
      expect.objectContaining({ stream_id: to, topic_name: 'looms', visibility_policy: 3 }),
    );
    expect(await topics(to, 'followed', bo)).toEqual([]);
  });

  it('does not tell its new name to those who cannot read the channel any more', async () => {
    const secret = await channel({ invite_only: true });
    const { id } = await send(secret, 'looms');
    await choose(secret, ['looms', 3], gil);
    await choose(secret, ['looms', 1], bo);
    const name = `channel ${channels}`;
    await gil.must('delete', 'users/me/subscriptions', { subscriptions: [name] });
    const types = ['user_topic', 'muted_topics'];
    const registered = await gil.must('post', 'register', { event_types: types, fetch_event_types: types });
    await ada.must('patch', `messages/${id}`, { topic: 'hidden looms', ...all });
    expect(await topics(secret, 'muted', bo)).toEqual(['hidden looms']);
    const { queue_id, last_event_id } = registered;
    const { events } = await gil.must('get', 'events', { queue_id, last_event_id, dont_block: true });
    expect(JSON.stringify(events)).not.toContain('hidden');
    const returning = { subscriptions: [{ name }], principals: [gilId] };
    await ada.must('post', 'users/me/subscriptions', returning);
    const { user_topics } = await gil.must('post', 'register', { fetch_event_types: ['user_topic'] });
    expect(user_topics).not.toContainEqual(expect.objectContaining({ stream_id: secret }));
  });

  it('does not go along for those who see none of its messages in a protected history', async () => {
    const guarded = await channel({ invite_only: true, history_public_to_subscribers: false });
    const name = `channel ${channels}`;
    await gil.must('delete', 'users/me/subscriptions', { subscriptions: [name] });
    const { id } = await send(guarded, 'looms');
    await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name }], principals: [gilId] });
    await choose(guarded, ['looms', 3], gil);
    await choose(guarded, ['looms', 3], bo);
    await ada.must('patch', `messages/${id}`, { topic: 'older looms', ...all });
    const policies = async (client: ApiClient): Promise<unknown[]> => {
      const { user_topics } = await client.must('post', 'register', { fetch_event_types: ['user_topic'] });
      return (user_topics as Reply[]).filter(({ stream_id }) => stream_id === guarded);
    };
    expect(await policies(bo)).toMatchObject([{ topic_name: 'older looms' }]);
    expect(await policies(gil)).toEqual([]);
  });

  it('keeps its stars, and what is unread', async () => {
    const to = await channel();
    const { id } = await send(to, 'looms');
    await bo.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await ada.must('patch', `messages/${id}`, { topic: 'weaving', ...all });
    const { message } = await bo.must('get', `messages/${id}`);
    expect(message).toMatchObject({ subject: 'weaving', flags: ['starred'] });
  });
});

describe('a person who starts a topic', () => {
  it('follows it, and is told so', async () => {
    const to = await channel();
    expect(await send(to, 'looms')).toMatchObject({ automatic_new_visibility_policy: 3 });
    expect(await send(to, 'looms')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await send(to, 'looms', { client: bo })).not.toHaveProperty('automatic_new_visibility_policy');
    expect([await topics(to, 'followed'), await topics(to, 'followed', bo)]).toEqual([['looms'], []]);
  });

  it('does not where they want it otherwise, nor as a bot, nor in direct messages', async () => {
    const to = await channel();
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 4 });
    expect(await send(to, 'looms', { client: bo })).not.toHaveProperty('automatic_new_visibility_policy');
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 3 });
    const made = await ada.must('post', 'bots', { full_name: 'Loom', short_name: 'loom' });
    const { members } = await ada.must('get', 'users');
    const bot = (members as Reply[]).find((member) => member['user_id'] === made['user_id']);
    const client = new ApiClient(server.site, {
      email: bot!['email'] as string,
      key: made['api_key'] as string,
    });
    expect(await send(to, 'weaving', { client })).not.toHaveProperty('automatic_new_visibility_policy');
    const direct = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'x' });
    expect(direct).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('hears of it again in a channel that they muted', async () => {
    const to = await channel();
    await send(to, 'looms', { client: bo });
    await ada.must('patch', `users/me/subscriptions/${to}`, { property: 'is_muted', value: true });
    expect(await topics(to, 'muted')).toContain('looms');
    expect(await send(to, 'looms')).toMatchObject({ automatic_new_visibility_policy: 2 });
    expect(await topics(to, 'muted')).not.toContain('looms');
  });
});

describe('a person whose message is split off a topic', () => {
  const one = { propagate_mode: 'change_one', send_notification_to_new_thread: false };

  /** Moves the second of two messages to the topic `weaving` by somebody else. */
  async function split(channelId: number, sender = ada): Promise<void> {
    await send(channelId, 'looms', { client: owner });
    const { id } = await send(channelId, 'looms', { client: sender });
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...one });
  }

  it('follows the topic that it starts, also where newer messages were, and is told so', async () => {
    const to = await channel();
    const queue = await ClientQueue.register(ada, ['user_topic']);
    const told = queue.next();
    await split(to);
    expect(await told).toEqual([
      expect.objectContaining({ stream_id: to, topic_name: 'weaving', visibility_policy: 3 }),
    ]);
    expect([await topics(to, 'followed'), await topics(to, 'followed', bo)]).toEqual([['weaving'], []]);
    const other = await channel();
    await send(other, 'looms', { client: owner });
    const { id } = await send(other, 'looms');
    await send(other, 'weaving', { client: owner });
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...one });
    expect(await topics(other, 'followed')).toEqual(['weaving']);
  });

  it('does not where older messages are, nor where they want it otherwise', async () => {
    const to = await channel();
    await send(to, 'weaving', { client: owner });
    await split(to);
    for (const automatically_follow_topics_policy of [1, 4]) {
      await gil.must('patch', 'settings', { automatically_follow_topics_policy: 4 });
      const other = await channel();
      await send(other, 'looms', { client: owner });
      const { id } = await send(other, 'looms', { client: gil });
      await gil.must('patch', 'settings', { automatically_follow_topics_policy });
      await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...one });
      expect(await topics(other, 'followed', gil)).toEqual([]);
    }
    await gil.must('patch', 'settings', { automatically_follow_topics_policy: 3 });
    expect(await topics(to, 'followed')).toEqual([]);
  });

  it('does not where they cannot see it any more', async () => {
    const to = await channel({ invite_only: true });
    const { id } = await send(to, 'looms', { client: gil });
    await send(to, 'looms');
    await ada.must('delete', 'users/me/subscriptions', {
      subscriptions: [await nameOf(to)],
      principals: [gilId],
    });
    const queue = await ClientQueue.register(gil, ['user_topic', 'alert_words']);
    const told = queue.next();
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...one });
    await gil.must('post', 'users/me/alert_words', { alert_words: ['loom'] });
    expect(await told).toEqual([expect.objectContaining({ type: 'alert_words' })]);
  });
});

async function nameOf(channelId: number): Promise<string> {
  const { stream } = await ada.must('get', `streams/${channelId}`);
  return (stream as Reply)['name'] as string;
}

describe('a person who is mentioned in a topic or reacts there', () => {
  it('follows it when they are mentioned', async () => {
    const to = await channel();
    await send(to, 'looms', { content: 'ask @**Bo** and @_**Gil**' });
    expect([await topics(to, 'followed', bo), await topics(to, 'followed', gil)]).toEqual([['looms'], []]);
  });

  it('leaves it muted when they are mentioned there, until they write themselves', async () => {
    const to = await channel();
    await send(to, 'looms', { client: owner });
    await choose(to, ['LOOMS', 1], bo);
    await send(to, 'looms', { client: owner, content: 'Ask @**Bo**.' });
    expect([await topics(to, 'followed', bo), await topics(to, 'muted', bo)]).toEqual([[], ['looms']]);
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 2 });
    await send(to, 'looms', { client: bo, content: 'It is @**Bo** who answers.' });
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 3 });
    expect([await topics(to, 'followed', bo), await topics(to, 'muted', bo)]).toEqual([['looms'], []]);
  });

  it('follows it after a reaction if they want that', async () => {
    const to = await channel();
    const { id } = await send(to, 'looms');
    const react = (emoji_name: string): Promise<Reply> =>
      bo.must('post', `messages/${id}/reactions`, { emoji_name });
    await react('octopus');
    expect(await topics(to, 'followed', bo)).toEqual([]);
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 1 });
    await react('tada');
    expect(await topics(to, 'followed', bo)).toEqual(['looms']);
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 3 });
  });

  it('follows it after a vote if they want that', async () => {
    const to = await channel();
    const { id: message_id } = await send(to, 'looms', { content: '/poll Which loom?\nThis\nThat' });
    const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
    const vote = (): Promise<Reply> =>
      bo.must('post', 'submessage', { message_id, msg_type: 'widget', content });
    await vote();
    expect(await topics(to, 'followed', bo)).toEqual([]);
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 1 });
    await vote();
    expect(await topics(to, 'followed', bo)).toEqual(['looms']);
    await bo.must('patch', 'settings', { automatically_follow_topics_policy: 3 });
  });

  it('follows what a scheduled message of theirs starts', async () => {
    const to = await channel();
    const request = { type: 'channel', to, topic: 'looms', content: 'x' };
    await soon((scheduled_delivery_timestamp) =>
      ada.post('scheduled_messages', { ...request, scheduled_delivery_timestamp }),
    );
    await eventually(
      () => topics(to, 'followed'),
      (found) => found.includes('looms'),
    );
  });
});
