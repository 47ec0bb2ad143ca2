import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { ApiClient, type Reply } from '../support/api-client.js';
import { Listener } from '../support/listener.js';

/** What a client is told of some types while something happens, without ids. */
async function told(
  client: ApiClient,
  types: readonly string[],
  happen: () => Promise<unknown>,
): Promise<object[]> {
  const listener = await Listener.register(client);
  await happen();
  return (await listener.newsOf(...types)).map(({ id: _id, ...event }) => event);
}

/** What a client knows from the start. */
function state(client: ApiClient, type: string, settings: object = {}): Promise<Reply> {
  return client.must('post', 'register', { event_types: [], fetch_event_types: [type], ...settings });
}

describe('what concerns one person', () => {
  it('is sent only to them: saved snippets', async () => {
    let id = 0;
    const change = async (): Promise<void> => {
      const text = { title: 'T', content: 'C' };
      id = (await ada.must('post', 'saved_snippets', text))['saved_snippet_id'] as number;
      await ada.must('patch', `saved_snippets/${id}`, { title: 'U' });
      await ada.must('post', 'saved_snippets', text);
      await ada.must('delete', `saved_snippets/${id}`);
    };
    let others: object[] = [];
    const own = await told(ada, ['saved_snippets'], async () => {
      others = await told(bo, ['saved_snippets'], change);
    });
    const snippet = { id, title: 'T', content: 'C', date_created: expect.any(Number) };
    const type = 'saved_snippets';
    expect(own).toEqual([
      { type, op: 'add', saved_snippet: snippet },
      { type, op: 'update', saved_snippet: { ...snippet, title: 'U' } },
      { type, op: 'add', saved_snippet: { ...snippet, id: expect.any(Number) } },
      { type, op: 'remove', saved_snippet_id: id },
    ]);
    expect(others).toEqual([]);
    const { saved_snippets: known } = await state(ada, 'saved_snippets');
    expect(known).toEqual([{ ...snippet, id: expect.any(Number) }]);
  });

  it('is sent only to them: navigation views', async () => {
    const fragment = 'narrow/has/link';
    const type = 'navigation_view';
    const events = await told(ada, [type], async () => {
      await ada.must('post', 'navigation_views', { fragment, is_pinned: true, name: 'Links' });
      await ada.must('patch', `navigation_views/${fragment}`, { is_pinned: false });
      await ada.must('patch', `navigation_views/${fragment}`, { name: 'All links' });
    });
    expect(events).toEqual([
      { type, op: 'add', navigation_view: { fragment, is_pinned: true, name: 'Links' } },
      { type, op: 'update', fragment, data: { is_pinned: false } },
      { type, op: 'update', fragment, data: { name: 'All links' } },
    ]);
    const { navigation_views: known } = await state(ada, 'navigation_views');
    expect(known).toEqual([{ fragment, is_pinned: false, name: 'All links' }]);
    const removal = await told(ada, [type], () => ada.must('delete', `navigation_views/${fragment}`));
    expect(removal).toEqual([{ type, op: 'remove', fragment }]);
  });

  it('is sent only to them: onboarding steps', async () => {
    const type = 'onboarding_steps';
    const left = [
      { type: 'one_time_notice', name: 'intro_inbox_view_modal' },
      { type: 'one_time_notice', name: 'intro_recent_view_modal' },
      { type: 'one_time_notice', name: 'first_stream_created_banner' },
      { type: 'one_time_notice', name: 'jump_to_conversation_banner' },
      { type: 'one_time_notice', name: 'non_interleaved_view_messages_fading' },
      { type: 'one_time_notice', name: 'interleaved_view_messages_fading' },
      { type: 'one_time_notice', name: 'intro_resolve_topic' },
      { type: 'one_time_action', name: 'narrow_to_dm_with_welcome_bot_new_user' },
    ];
    const banner = { type: 'one_time_notice', name: 'visibility_policy_banner' };
    const complete = (): Promise<Reply> =>
      ada.must('post', 'users/me/onboarding_steps', { onboarding_step: banner.name });
    expect((await state(ada, type))[type]).toEqual([banner, ...left]);
    let others: object[] = [];
    const own = await told(ada, [type], async () => {
      others = await told(bo, [type], complete);
      await complete();
    });
    expect([own, others]).toEqual([[{ type, onboarding_steps: left }], []]);
    expect((await state(ada, type))[type]).toEqual(left);
    expect((await state(bo, type))[type]).toEqual([banner, ...left]);
  });

  it('is refused where there is nothing to show or to do, and to bots', async () => {
    const path = 'users/me/onboarding_steps';
    const unknown = await ada.post(path, { onboarding_step: 'no_such_step' });
    const msg = 'Unknown onboarding_step: no_such_step';
    expect([unknown.status, unknown.body]).toMatchObject([400, { code: 'BAD_REQUEST', msg }]);
    expect((await ada.post(path)).body).toMatchObject({ var_name: 'onboarding_step' });
    const { client: bot } = await server.createBot(ada, 'stepper');
    const refused = await bot.post(path, { onboarding_step: 'intro_resolve_topic' });
    expect([refused.status, refused.body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('is sent only to them: muted people and alert words', async () => {
    const events = await told(ada, ['muted_users', 'alert_words'], async () => {
      await ada.must('post', `users/me/muted_users/${boId}`);
      await ada.must('post', 'users/me/alert_words', { alert_words: [' siren ', 'Siren', 'pager'] });
      await ada.must('delete', 'users/me/alert_words', { alert_words: ['siren'] });
    });
    const muted = [{ id: boId, timestamp: expect.any(Number) }];
    expect(events).toEqual([
      { type: 'muted_users', muted_users: muted },
      { type: 'alert_words', alert_words: ['siren', 'pager'] },
      { type: 'alert_words', alert_words: ['pager'] },
    ]);
    expect((await state(ada, 'muted_users'))['muted_users']).toEqual(muted);
    expect((await state(ada, 'alert_words'))['alert_words']).toEqual(['pager']);
    expect((await state(bo, 'muted_users'))['muted_users']).toEqual([]);
  });
});

describe('bots', () => {
  const type = 'realm_bot';
  const botsOf = async (client: ApiClient): Promise<Reply[]> =>
    (await state(client, type))['realm_bots'] as Reply[];

  it('are shown with their keys to their owner and to administrators, and to nobody else', async () => {
    const listeners = await Promise.all([ada, owner, bo].map((client) => Listener.register(client)));
    const toldAll = async (): Promise<object[][]> =>
      Promise.all(
        listeners.map(async (listener) =>
          (await listener.newsOf(type)).map(({ id: _id, ...event }) => event),
        ),
      );
    const made = await ada.must('post', 'bots', { full_name: 'Relay', short_name: 'relay' });
    const { user_id, api_key } = made as Reply & { user_id: number; api_key: string };
    const addition = { type, op: 'add', bot: expect.objectContaining({ user_id, api_key }) };
    expect(await toldAll()).toEqual([[addition], [addition], []]);
    const renewed = (await ada.must('post', `bots/${user_id}/api_key/regenerate`))['api_key'] as string;
    expect(renewed).not.toBe(api_key);
    const renewal = { type, op: 'update', bot: { user_id, api_key: renewed } };
    expect(await toldAll()).toEqual([[renewal], [renewal], []]);
    for (const client of [ada, owner]) {
      expect(await botsOf(client)).toContainEqual(expect.objectContaining({ user_id, api_key: renewed }));
    }
    expect(await botsOf(bo)).toEqual([]);
    const defaults = { default_all_public_streams: true, default_sending_stream: '' };
    await ada.must('patch', `bots/${user_id}`, defaults);
    const chosen = { type, op: 'update', bot: { user_id, default_all_public_streams: true } };
    expect(await toldAll()).toEqual([[chosen], [chosen], []]);
    await owner.must('patch', `bots/${user_id}`, { bot_owner_id: boId });
    const { api_key: given } = await bo.must('get', `bots/${user_id}/api_key`);
    expect(given).not.toBe(renewed);
    const [lost, kept, gained] = await toldAll();
    const renewedAgain = { type, op: 'update', bot: { user_id, api_key: given } };
    expect(lost).toEqual([{ type, op: 'delete', bot: { user_id } }]);
    expect(kept).toEqual([{ type, op: 'update', bot: { user_id, owner_id: boId } }, renewedAgain]);
    expect(gained).toEqual([
      { type, op: 'add', bot: expect.objectContaining({ user_id, api_key: given }) },
      renewedAgain,
    ]);
    await bo.must('delete', `bots/${user_id}`);
    expect(await botsOf(bo)).toMatchObject([{ user_id, is_active: false, api_key: '' }]);
    const [, ended, endedToo] = await toldAll();
    const end = { type, op: 'update', bot: { user_id, is_active: false, api_key: '' } };
    expect([ended, endedToo]).toEqual([[end], [end]]);
  });

  it('enter and leave the list of somebody whose role changes, with the keys that the new role may read', async () => {
    const payload = { payload_url: '"http://example.com/hook"' };
    const made = await owner.must('post', 'bots', {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      ...payload,
    });
    const { user_id, api_key } = made as Reply & { user_id: number; api_key: string };
    const { client, id } = await server.createUser(owner, 'Ivy');
    const setRole = (of: number, role: number) => () => owner.must('patch', `users/${of}`, { role });
    const ofHook = async (client: ApiClient, act: () => Promise<unknown>): Promise<object[]> =>
      (await told(client, [type], act)).filter((event) => (event as Reply)['bot'].user_id === user_id);
    const listed = async (): Promise<object | undefined> =>
      (await botsOf(client)).find((bot) => bot['user_id'] === user_id);
    expect(await listed()).toBeUndefined();
    const [added] = await ofHook(client, setRole(id, 200));
    expect(added).toEqual({ type, op: 'add', bot: await listed() });
    expect(added).toMatchObject({ bot: { api_key, services: [{ token: expect.stringMatching(/.{20}/) }] } });
    const { services } = (added as Reply)['bot'] as { services: readonly object[] };
    const [hidden] = await ofHook(client, setRole(user_id, 100));
    const withoutSecrets = { user_id, api_key: '', services: [{ ...services[0], token: '' }] };
    expect(hidden).toEqual({ type, op: 'update', bot: withoutSecrets });
    expect(await listed()).toMatchObject(withoutSecrets);
    const [shown] = await ofHook(client, setRole(user_id, 400));
    expect(shown).toMatchObject({ type, op: 'update', bot: { user_id, services } });
    expect(await listed()).toMatchObject((shown as Reply)['bot'] as object);
    const events = await ofHook(client, setRole(id, 400));
    expect(events).toEqual([{ type, op: 'delete', bot: { user_id } }]);
    expect(await listed()).toBeUndefined();
  });

  it('have default channels under the names that their managers may know at the time', async () => {
    const { client, id } = await server.createUser(owner, 'Joy');
    const channelId = await ada.createChannel('dock', { principals: [adaId, id], invite_only: true });
    const defaults = { default_sending_stream: 'dock', default_events_register_stream: 'dock' };
    const made = await client.must('post', 'bots', { full_name: 'Crane', short_name: 'crane', ...defaults });
    const user_id = made['user_id'] as number;
    const named = (name: string | null): object[] =>
      Object.keys(defaults).map((field) => ({ type, op: 'update', bot: { user_id, [field]: name } }));
    const listed = async (): Promise<Reply | undefined> =>
      (await botsOf(client)).find((bot) => bot['user_id'] === user_id);
    const renamed = (new_name: string) => () => ada.must('patch', `streams/${channelId}`, { new_name });
    const subscriptions = (name: string) => ({ subscriptions: [{ name }], principals: [id] });

    const administrators = Listener.register(owner, { event_types: [type] });
    const others = await Listener.register(bo, { event_types: [type] });
    const listener = await administrators;
    expect(await told(client, [type], renamed('quay'))).toEqual(named('quay'));
    expect((await listener.newsOf(type)).map(({ id: _id, ...event }) => event)).toEqual(named('quay'));
    expect(await others.newsOf(type)).toEqual([]);
    const leave = () => client.must('delete', 'users/me/subscriptions', { subscriptions: ['quay'] });
    expect(await told(client, [type], leave)).toEqual(named(null));
    expect(await told(client, [type], renamed('pier'))).toEqual([]);
    expect(await listed()).toMatchObject({ default_sending_stream: null });
    const join = () => ada.must('post', 'users/me/subscriptions', subscriptions('pier'));
    expect(await told(client, [type], join)).toEqual(named('pier'));
    await client.must('delete', 'users/me/subscriptions', { subscriptions: ['pier'] });
    const promote = () => owner.must('patch', `users/${id}`, { role: 200 });
    const news = (await told(client, [type], promote)) as Reply[];
    expect(news.filter(({ bot, op }) => bot.user_id === user_id && op === 'update')).toEqual(named('pier'));
    expect(await listed()).toMatchObject({ default_sending_stream: 'pier' });
  });

  it('have other addresses for those who keep them', async () => {
    const { user_id } = await ada.must('post', 'bots', { full_name: 'Postbox', short_name: 'postbox' });
    const email = 'postbox@example.com';
    const [event] = await told(ada, [type], () =>
      owner.must('patch', `users/${String(user_id)}`, { new_email: email }),
    );
    expect(event).toMatchObject({ type, op: 'update', bot: { user_id, email } });
    const { bot } = event as { bot: { avatar_url: string } };
    expect(await botsOf(ada)).toContainEqual(
      expect.objectContaining({ user_id, email, avatar_url: bot.avatar_url }),
    );
  });

  it('are not told of when people renew their own keys', async () => {
    const { client } = await server.createUser(owner, 'Cy');
    expect(await told(owner, [type], () => client.must('post', 'users/me/api_key/regenerate'))).toEqual([]);
  });
});

describe('the default channels', () => {
  it('are sent to people who are no longer guests, and removed for people who become guests', async () => {
    const channelId = await owner.createChannel('lobby');
    await owner.must('post', 'default_streams', { stream_id: channelId });
    await owner.createChannel('workshop');
    const group = { group_name: 'Makers', description: 'Those who make', stream_names: ['workshop'] };
    await owner.must('post', 'default_stream_groups/create', group);
    const { client, id } = await server.createUser(owner, 'Fay');
    const setRole = (role: number) => () => owner.must('patch', `users/${id}`, { role });
    const types = ['default_streams', 'default_stream_groups'];
    expect(await told(client, types, setRole(600))).toEqual([
      { type: 'default_streams', default_streams: [] },
      { type: 'default_stream_groups', default_stream_groups: [] },
    ]);
    const { realm_default_stream_groups: groups, realm_default_streams: ids } = await state(
      owner,
      'default_streams',
      {
        fetch_event_types: types,
      },
    );
    expect(ids).toContain(channelId);
    expect(await told(client, types, setRole(400))).toEqual([
      { type: 'default_streams', default_streams: ids },
      { type: 'default_stream_groups', default_stream_groups: groups },
    ]);
    expect(await told(client, types, setRole(300))).toEqual([]);
  });
});

describe('what everyone may know', () => {
  it('is sent to everyone: all profile fields, whenever one changes', async () => {
    const type = 'custom_profile_fields';
    let id = 0;
    const events = await told(bo, [type], async () => {
      id = (await owner.must('post', 'realm/profile_fields', { name: 'Motto', field_type: 1 }))[
        'id'
      ] as number;
      await owner.must('patch', `realm/profile_fields/${id}`, { hint: 'short' });
    });
    const field = { id, name: 'Motto', type: 1, hint: '', field_data: '', order: 1 };
    const whole = { ...field, required: false, editable_by_user: true };
    expect(events).toEqual([
      { type, fields: [whole] },
      { type, fields: [{ ...whole, hint: 'short' }] },
    ]);
    const known = await state(bo, type);
    expect(known[type]).toEqual([{ ...whole, hint: 'short' }]);
    expect(known['custom_profile_field_types']).toMatchObject({ SHORT_TEXT: { id: 1 }, PRONOUNS: { id: 8 } });
  });

  it('is sent to everyone: values of profile fields, each in its own event', async () => {
    const { id } = await owner.must('post', 'realm/profile_fields', { name: 'Hat', field_type: 2 });
    const fill = (value: string | null): Promise<Reply> =>
      ada.must('patch', 'users/me/profile_data', { data: [{ id, value }] });
    const events = await told(bo, ['realm_user'], async () => {
      await fill('*top*');
      await fill(null);
    });
    const person = (custom_profile_field: object): object => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: adaId, custom_profile_field },
    });
    expect(events).toEqual([
      person({ id, value: '*top*', rendered_value: '<p><em>top</em></p>' }),
      person({ id, value: null }),
    ]);
    await fill('bowler');
    const { realm_users } = await state(bo, 'realm_user');
    const one = (realm_users as Reply[]).find((user) => user['user_id'] === adaId);
    expect(one?.['profile_data']).toEqual({
      [id as number]: { value: 'bowler', rendered_value: '<p>bowler</p>' },
    });
  });

  it('is sent to everyone: statuses, which end with a deactivation and return afterwards', async () => {
    const { client, id: user_id } = await server.createUser(owner, 'Kim');
    const emoji = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
    const status = { status_text: 'on the road', ...emoji };
    await client.must('post', 'users/me/status', status);
    const type = 'user_status';
    const ended = await told(ada, [type], () => owner.must('delete', `users/${user_id}`));
    const nothing = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
    expect(ended).toEqual([{ type, user_id, status_text: '', ...nothing }]);
    expect((await state(ada, type))['user_status']).not.toHaveProperty(String(user_id));
    const back = await told(ada, [type], () => owner.must('post', `users/${user_id}/reactivate`));
    expect(back).toEqual([{ type, user_id, ...status }]);
    expect((await state(ada, type))['user_status']).toMatchObject({ [user_id]: status });
    const { id: plainId } = await server.createUser(owner, 'Lee');
    const plain = await told(ada, [type], async () => {
      await owner.must('delete', `users/${plainId}`);
      await owner.must('post', `users/${plainId}/reactivate`);
    });
    expect(plain).toEqual([]);
  });

  it('is sent to everyone: the picture of an address, when the address changes or is hidden', async () => {
    const { id, client } = await server.createUser(owner, 'Dot');
    const picture = async (): Promise<object> => {
      const { user } = await bo.must('get', `users/${id}`, { client_gravatar: false });
      return {
        user_id: id,
        avatar_url: user.avatar_url as string,
        avatar_url_medium: expect.any(String),
        avatar_source: 'G',
        avatar_version: user.avatar_version as number,
      };
    };
    const changes = [
      () => client.must('patch', 'settings', { email_address_visibility: 4 }),
      () => client.must('patch', 'settings', { email_address_visibility: 1 }),
      () => owner.must('patch', `users/${id}`, { new_email: 'dorothy@example.com' }),
    ];
    const seen = new Set([JSON.stringify(await picture())]);
    for (const change of changes) {
      const [name, shown, address, ...more] = await told(bo, ['realm_user'], change);
      expect([name, address]).toMatchObject([
        { person: { new_email: expect.any(String) } },
        { person: { user_id: id } },
      ]);
      expect(address).toHaveProperty('person.delivery_email');
      expect(shown).toEqual({ type: 'realm_user', op: 'update', person: await picture() });
      expect(more).toEqual([]);
      seen.add(JSON.stringify(await picture()));
    }
    expect(seen.size).toBe(3);
  });

  it('includes addresses, sent to those for whom they change', async () => {
    const { id, client } = await server.createUser(owner, 'Shy');
    let { email } = client.credentials!;
    const show = (value: number) => (): Promise<unknown> =>
      new ApiClient(server.site, { email, key: client.credentials!.key }).must('patch', 'settings', {
        email_address_visibility: value,
      });
    const move = (new_email: string) => (): Promise<unknown> => {
      email = new_email;
      return owner.must('patch', `users/${id}`, { new_email });
    };
    const changes = async (act: () => Promise<unknown>): Promise<unknown[]> => {
      let toOwner: object[] = [];
      const toBo = await told(bo, ['realm_user'], async () => {
        toOwner = await told(owner, ['realm_user'], act);
      });
      const persons = (events: object[]): object[] =>
        (events as { person: object }[]).map(({ person }) => person).filter((one) => !('avatar_url' in one));
      return [persons(toOwner), persons(toBo)];
    };
    const hidden = { user_id: id, new_email: `user${id}@palimpsest.invalid` };
    const at = (delivery_email: string | null): object => ({ user_id: id, delivery_email });
    expect(await changes(show(3))).toEqual([[hidden], [hidden, at(null)]]);
    expect(await changes(move('shy.1@example.com'))).toEqual([[at('shy.1@example.com')], []]);
    expect(await changes(show(4))).toEqual([[at(null)], []]);
    expect(await changes(move('shy.2@example.com'))).toEqual([[], []]);
    expect(await changes(show(2))).toEqual([[at('shy.2@example.com')], [at('shy.2@example.com')]]);
    const shown = { user_id: id, new_email: 'shy.2@example.com' };
    expect(await changes(show(1))).toEqual([[shown], [shown]]);
    const everyone = [{ user_id: id, new_email: 'shy.3@example.com' }, at('shy.3@example.com')];
    expect(await changes(move('shy.3@example.com'))).toEqual([everyone, everyone]);
  });

  it('includes the addresses that a new role may or may not see', async () => {
    const { id, client } = await server.createUser(owner, 'Reserved');
    const { id: viewerId, client: viewer } = await server.createUser(owner, 'Viewer');
    const { email } = client.credentials!;
    await client.must('patch', 'settings', { email_address_visibility: 5 });
    const toldOf = async (role: number): Promise<unknown[]> => {
      const events = await told(viewer, ['realm_user'], () =>
        owner.must('patch', `users/${viewerId}`, { role }),
      );
      const persons = (events as { person: { user_id: number } }[]).map(({ person }) => person);
      return persons.filter(({ user_id }) => user_id === id);
    };
    expect(await toldOf(300)).toEqual([{ user_id: id, delivery_email: email }]);
    expect(await toldOf(200)).toEqual([]);
    expect(await toldOf(400)).toEqual([{ user_id: id, delivery_email: null }]);
  });

  it('is in the initial state: presence, in either form', async () => {
    await ada.must('post', 'users/me/presence', { status: 'active' });
    const { presences, presence_last_update_id, server_timestamp } = await state(bo, 'presence');
    expect(presences['ada@example.com']['aggregated']).toMatchObject({ status: 'active' });
    expect([presence_last_update_id, server_timestamp]).toEqual([expect.any(Number), expect.any(Number)]);
    const slim = await state(bo, 'presence', { slim_presence: true });
    const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) };
    expect(slim['presences']).toEqual({ [adaId]: times });
  });

  it.each([
    ['knows presence by id alone', { client_capabilities: { simplified_presence_events: true } }],
    ['asks by number of update', { presence_last_update_id: -1, presence_history_limit_days: 1 }],
  ])('of presence is by id for a client that %s', async (_what, options) => {
    await ada.must('post', 'users/me/presence', { status: 'active' });
    const { presences, presence_last_update_id } = await state(bo, 'presence', options);
    expect(Object.keys(presences as object)).toEqual([String(adaId)]);
    if (!('presence_last_update_id' in options)) return;
    const later = await state(bo, 'presence', { ...options, presence_last_update_id });
    expect(later['presences']).toEqual({});
  });
});
