import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { ApiClient, type Reply } from '../support/api-client.js';
import { Listener } from '../support/listener.js';

/** What a channel is named by where its messages are asked for. */
function messagesOf(channel: number): Record<string, unknown> {
  const narrow = [{ operator: 'channel', operand: channel }];
  return { anchor: 'newest', num_before: 10, num_after: 0, narrow };
}

function idsIn({ messages }: Reply): number[] {
  return (messages as { id: number }[]).map(({ id }) => id);
}

describe('an archived channel', () => {
  it('is read, described and changed like others, and comes back', async () => {
    const channel = await ada.createChannel('vault', { principals: [adaId, boId] });
    const said = { type: 'channel', to: channel, topic: 'looms', content: 'hello' };
    const { id } = await ada.must('post', 'messages', said);
    await ada.must('delete', `streams/${channel}`);
    expect(idsIn(await bo.must('get', 'messages', messagesOf(channel)))).toContain(id);
    expect((await bo.must('get', `streams/${channel}`))['stream']).toMatchObject({ is_archived: true });
    expect((await bo.must('get', `streams/${channel}/members`))['subscribers']).toEqual([adaId, boId]);
    const { topics } = await bo.must('get', `users/me/${channel}/topics`);
    expect((topics as Reply[]).map(({ name }) => name as string)).toContain('looms');
    await owner.must('patch', `streams/${channel}`, { is_private: true });
    expect((await bo.must('get', `streams/${channel}`))['stream']).toMatchObject({ invite_only: true });
    expect((await ada.post('messages', said)).status).toBe(400);
    await owner.must('patch', `streams/${channel}`, { is_archived: false });
    await ada.must('post', 'messages', said);
  });
});

describe('a deactivated user group', () => {
  it('gets other groups as parts, and is revived', async () => {
    const make = async (name: string): Promise<number> =>
      (await ada.must('post', 'user_groups/create', { name, description: '', members: [adaId] }))[
        'group_id'
      ] as number;
    const [id, part] = [await make('spinners'), await make('carders')];
    await ada.must('post', `user_groups/${id}/deactivate`);
    await ada.must('post', `user_groups/${id}/subgroups`, { add: [part] });
    await ada.must('patch', `user_groups/${id}`, { deactivated: false });
    const { user_groups: groups } = await ada.must('get', 'user_groups');
    expect((groups as Reply[]).find((group) => group['id'] === id)).toMatchObject({
      deactivated: false,
      direct_subgroup_ids: [part],
    });
  });
});

describe('a bot that is given away', () => {
  it('keeps its channels', async () => {
    const { id } = await server.createBot(ada, 'Keeper');
    const channel = await ada.createChannel('kept', { invite_only: true, principals: [adaId, id] });
    await owner.must('patch', `bots/${id}`, { bot_owner_id: boId });
    expect((await ada.must('get', `streams/${channel}/members`))['subscribers']).toContain(id);
  });
});

describe('a private channel with shared history that a group may subscribe to', () => {
  it('can be read, reacted in and written to by members of the group, who can edit their own messages', async () => {
    const { group_id: group } = await ada.must('post', 'user_groups/create', {
      name: 'readers',
      description: '',
      members: [boId],
    });
    const settings = { invite_only: true, history_public_to_subscribers: true, principals: [adaId] };
    const channel = await ada.createChannel('reachable', { ...settings, can_subscribe_group: group });
    const said = { type: 'channel', to: channel, topic: 'looms', content: 'hello' };
    const { id } = await ada.must('post', 'messages', said);
    expect(idsIn(await bo.must('get', 'messages', messagesOf(channel)))).toContain(id);
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'tada' });
    const { id: own } = await bo.must('post', 'messages', { ...said, content: 'hi' });
    await bo.must('patch', `messages/${own}`, { content: 'hi there' });
    const { client: stranger } = await server.createUser(owner, 'Nia');
    expect((await stranger.get(`messages/${id}`)).status).toBe(400);
  });
});

describe('presence', () => {
  it('includes the requester, but no bots', async () => {
    const { client: bot, id: botId } = await server.createBot(ada, 'Absent');
    const report = { status: 'active', ping_only: false, new_user_input: true, last_update_id: -1 };
    await ada.must('post', 'users/me/presence', report);
    await bot.post('users/me/presence', report);
    const { presences } = await ada.must('post', 'users/me/presence', report);
    expect(Object.keys(presences as object)).toContain(String(adaId));
    const state = await bo.must('post', 'register', { fetch_event_types: ['presence'], slim_presence: true });
    expect(Object.keys(state['presences'] as object)).not.toContain(String(botId));
    expect((await bo.get(`users/${botId}/presence`)).status).toBe(400);
  });
});

describe('the status of somebody', () => {
  it('is changed by administrators too', async () => {
    await owner.must('post', `users/${boId}/status`, { status_text: 'at the loom' });
    expect((await ada.must('get', `users/${boId}/status`))['status']).toEqual({ status_text: 'at the loom' });
    expect((await ada.post(`users/${boId}/status`, { status_text: 'asleep' })).status).toBe(400);
    expect((await ada.post(`users/${adaId}/status`, { status_text: 'asleep' })).status).toBe(400);
  });

  it('can be changed by bots that are administrators, but bots have no status themselves', async () => {
    const { client: bot, id: botId } = await server.createBot(owner, 'Herald');
    const path = `users/${boId}/status`;
    expect((await bot.post(path, { status_text: 'away' })).body.msg).toBe('Insufficient permission');
    await owner.must('patch', `users/${botId}`, { role: 200 });
    await bot.must('post', path, { status_text: 'at the fair' });
    expect((await ada.must('get', path))['status']).toEqual({ status_text: 'at the fair' });
    for (const whose of ['me', botId]) {
      expect((await bot.post(`users/${whose}/status`, { status_text: 'here' })).status).toBe(400);
    }
  });

  it('cannot change whether others see the presence of the person', async () => {
    const changed = await owner.must('post', `users/${boId}/status`, { status_text: 'resting', away: true });
    expect(changed['ignored_parameters_unsupported']).toEqual(['away']);
    expect((await owner.post(`users/${boId}/status`, { away: true })).status).toBe(400);
    const { user_settings: settings } = await bo.must('post', 'register', {
      fetch_event_types: ['user_settings'],
    });
    expect((settings as Reply)['presence_enabled']).toBe(true);
  });
});

describe('an account that was made for somebody', () => {
  it('gets its joining date at the first log-in, and clients receive an event', async () => {
    const account = { email: 'pia@example.com', password: 'mauve loom 1843', full_name: 'Pia' };
    const { user_id: id } = await owner.must('post', 'users', account);
    const listener = await Listener.register(ada);
    const logIn = { username: account.email, password: account.password };
    const anonymous = new ApiClient(server.site, null);
    for (let count = 0; count < 2; count += 1) await anonymous.must('post', 'fetch_api_key', logIn);
    const told = await listener.newsOf('realm_user');
    expect(told.map(({ op, person }) => [op, person])).toEqual([
      ['update', { user_id: id, date_joined: expect.stringMatching(/^\d{4}-/) }],
    ]);
  });
});

describe('a client that registers', () => {
  it.each([
    ['giphy', ['giphy_api_key']],
    ['tenor', ['tenor_api_key']],
    ['klipy', ['klipy_api_key']],
    ['video_calls', ['has_webex_token', 'has_zoom_token']],
    ['realm_billing', ['realm_billing']],
    ['onboarding_steps', ['navigation_tour_video_url', 'onboarding_steps']],
  ])('receives the requested part %s of the state', async (part, names) => {
    const whole = await ada.must('post', 'register', { fetch_event_types: [part] });
    const bare = await ada.must('post', 'register', { fetch_event_types: [] });
    expect(
      Object.keys(whole)
        .filter((name) => !(name in bare))
        .sort(),
    ).toEqual(names);
  });

  it('receives the server of video calls, but no removed fields', async () => {
    const state = await ada.must('post', 'register');
    expect(state).toHaveProperty('jitsi_server_url', state['server_jitsi_server_url']);
    expect(state).not.toHaveProperty('push_devices');
  });

  it('receives an event when the organization changes the server of video calls', async () => {
    const heard = await Listener.register(ada);
    const url = 'https://meet.example.com/engines';
    await owner.must('patch', 'realm', { jitsi_server_url: JSON.stringify(url) });
    const [event] = await heard.newsOf('realm');
    expect(event).toMatchObject({ op: 'update', property: 'jitsi_server_url', value: url });
    const state = { realm_jitsi_server_url: url, jitsi_server_url: url };
    expect(await ada.must('post', 'register', { fetch_event_types: ['realm'] })).toMatchObject(state);
    await owner.must('patch', 'realm', { jitsi_server_url: 'default' });
    const { jitsi_server_url, server_jitsi_server_url } = await ada.must('post', 'register');
    expect(jitsi_server_url).toBe(server_jitsi_server_url);
  });
});
