import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let member: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: member } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
});

/** What a member's client is told of because of something, without the ids of the events. */
async function told(
  types: readonly string[],
  act: () => Promise<unknown>,
  { include_deactivated_groups = true } = {},
): Promise<object[]> {
  const client_capabilities = { notification_settings_null: true, include_deactivated_groups };
  const queue = await member.must('post', 'register', {
    event_types: types,
    fetch_event_types: [],
    client_capabilities,
  });
  await act();
  const query = { queue_id: queue['queue_id'] as string, last_event_id: -1, dont_block: true };
  const { events } = await member.must('get', 'events', query);
  return (events as Reply[]).map(({ id: _id, ...event }) => event);
}

async function state(...parts: readonly string[]): Promise<Reply> {
  return member.must('post', 'register', { event_types: [], fetch_event_types: parts });
}

const patched = (changes: object): Promise<Reply> => owner.must('patch', 'realm', { ...changes });

describe('clients receive events of the organization', () => {
  it('when a setting changes, by itself or with what belongs to it, and not when it stays', async () => {
    const changes = {
      name: 'Engines',
      waiting_period_threshold: 3,
      message_content_edit_limit_seconds: 3600,
    };
    const events = await told(['realm'], () => patched(changes));
    expect(events).toEqual([
      { type: 'realm', op: 'update', property: 'name', value: 'Engines' },
      { type: 'realm', op: 'update', property: 'waiting_period_threshold', value: 3 },
      {
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { message_content_edit_limit_seconds: 3600 },
      },
    ]);
    expect(await told(['realm'], () => patched(changes))).toEqual([]);
  });

  it('of the rating of animated images by the name that the initial state has, whichever name was sent', async () => {
    const byName = await told(['realm'], () => patched({ gif_rating_policy: 5 }));
    expect(byName).toEqual([{ type: 'realm', op: 'update', property: 'gif_rating_policy', value: 5 }]);
    expect((await state('realm'))['realm_gif_rating_policy']).toBe(5);
    const byOlderName = await told(['realm'], () => patched({ giphy_rating: 1 }));
    expect(byOlderName).toEqual([{ type: 'realm', op: 'update', property: 'gif_rating_policy', value: 1 }]);
    const { status, body } = await owner.patch('realm', { giphy_rating: 2, gif_rating_policy: 2 });
    expect([status, body.code]).toEqual([400, 'REQUEST_CONFUSING_VAR']);
    const { body: refused } = await owner.patch('realm', { gif_rating_policy: 7 });
    expect(refused.msg).toMatch(/^Invalid gif_rating_policy: /);
  });

  it('when a changed waiting period makes people full members, or new members again', async () => {
    await patched({ waiting_period_threshold: 0 });
    await owner.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'for the experienced' }],
      invite_only: true,
      can_subscribe_group: 4,
    });
    const { stream_id } = await owner.must('get', 'get_stream_id', { stream: 'for the experienced' });
    const fullMembers = async (): Promise<number[]> => {
      const { realm_user_groups } = await state('realm_user_groups');
      return (realm_user_groups as { id: number; members: number[] }[]).find(({ id }) => id === 4)!.members;
    };
    const user_ids = await fullMembers();
    expect(user_ids).not.toEqual([]);
    const of = (op: string): object => ({ type: 'user_group', op, group_id: 4, user_ids });
    const types = ['user_group', 'stream'];
    expect(await told(types, () => patched({ waiting_period_threshold: 3 }))).toEqual([
      of('remove_members'),
      { type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] },
    ]);
    expect(await fullMembers()).toEqual([]);
    expect(await told(types, () => patched({ waiting_period_threshold: 4 }))).toEqual([]);
    expect(await told(types, () => patched({ waiting_period_threshold: 0 }))).toEqual([
      of('add_members'),
      expect.objectContaining({ type: 'stream', op: 'create' }),
    ]);
    await patched({ waiting_period_threshold: 3 });
  });

  it('when a setting that clients know under several names changes', async () => {
    const changes = {
      description: 'We *compute*',
      topics_policy: 'disable_empty_topic',
      can_mention_many_users_group: { new: 5 },
    };
    const events = await told(['realm'], () => patched(changes));
    expect(events.map((event) => (event as Reply)['data'] as unknown)).toEqual([
      {
        description: 'We *compute*',
        rendered_description: '<p>We <em>compute</em></p>',
        topics_policy: 'disable_empty_topic',
        mandatory_topics: true,
      },
      { can_mention_many_users_group: 5, wildcard_mention_policy: 7 },
    ]);
    await patched({ topics_policy: 'allow_empty_topic' });
  });

  it('when permissions are given to others', async () => {
    const value = { direct_members: [], direct_subgroups: [5, 7] };
    const events = await told(['realm'], () => patched({ can_create_groups: { new: value } }));
    expect(events).toEqual([
      { type: 'realm', op: 'update_dict', property: 'default', data: { can_create_groups: value } },
    ]);
    expect(await state('realm')).toMatchObject({
      realm_can_create_groups: value,
      realm_name: 'Engines',
      realm_description: 'We *compute*',
      realm_rendered_description: '<p>We <em>compute</em></p>',
    });
  });

  it('when somebody named in a permission is deactivated or reactivated', async () => {
    const { client: creator, id: userId } = await server.createUser(owner, 'Cy');
    const subscriptions = [{ name: 'named' }];
    await creator.must('post', 'users/me/subscriptions', {
      subscriptions,
      can_send_message_group: { direct_members: [userId], direct_subgroups: [4] },
    });
    const { stream_id } = await member.must('get', 'get_stream_id', { stream: 'named' });
    const value = { direct_members: [userId], direct_subgroups: [3] };
    await patched({ can_create_groups: { new: value } });
    const { group_id } = await creator.must('post', 'user_groups/create', {
      name: 'named',
      description: '',
      members: [],
    });
    const nobody = { direct_members: [], direct_subgroups: [] };
    const only = { direct_members: [userId], direct_subgroups: [] };

    const properties = (shown: object): object[] =>
      Object.entries(shown).map(([property, value]) => ({
        type: 'stream',
        op: 'update',
        stream_id,
        name: 'named',
        property,
        value: value as unknown,
      }));
    const group = (shown: object): object => ({
      type: 'user_group',
      op: 'update',
      group_id,
      data: { can_add_members_group: shown, can_manage_group: shown },
    });
    const organization = (shown: unknown): object => ({
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { can_create_groups: shown },
    });
    const types = ['stream', 'user_group', 'realm'];
    const isMembership = (event: object): boolean => String((event as Reply)['op']).endsWith('_members');
    const deactivated = await told(types, () => owner.must('delete', `users/${userId}`));
    const whileGone = {
      can_administer_channel_group: nobody,
      can_send_message_group: 4,
      stream_post_policy: 3,
      is_announcement_only: false,
    };
    const byProperty = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    const sorted = (events: readonly object[]): object[] =>
      events.filter((event) => !isMembership(event)).sort(byProperty);
    expect(sorted(deactivated)).toEqual(sorted([...properties(whileGone), group(nobody), organization(3)]));
    const { stream } = await owner.must('get', `streams/${stream_id}`);
    expect(stream).toMatchObject(whileGone);
    expect(await state('realm')).toMatchObject({ realm_can_create_groups: 3 });

    const reactivated = await told(types, () => owner.must('post', `users/${userId}/reactivate`));
    const onceBack = {
      can_administer_channel_group: only,
      can_send_message_group: { direct_members: [userId], direct_subgroups: [4] },
      stream_post_policy: 1,
      is_announcement_only: false,
    };
    expect(sorted(reactivated)).toEqual(sorted([...properties(onceBack), group(only), organization(value)]));
  });

  it('when domains are allowed, changed and taken away', async () => {
    const events = await told(['realm_domains'], async () => {
      await owner.must('post', 'realm/domains', { domain: 'example.com', allow_subdomains: false });
      await owner.must('patch', 'realm/domains/example.com', { allow_subdomains: true });
      await owner.must('delete', 'realm/domains/example.com');
    });
    expect(events).toEqual([
      {
        type: 'realm_domains',
        op: 'add',
        realm_domain: { domain: 'example.com', allow_subdomains: false },
      },
      {
        type: 'realm_domains',
        op: 'change',
        realm_domain: { domain: 'example.com', allow_subdomains: true },
      },
      { type: 'realm_domains', op: 'remove', domain: 'example.com' },
    ]);
  });

  it('when code playgrounds are added and removed, with the whole new list', async () => {
    const type = 'realm_playgrounds';
    const rust = {
      name: 'Rust play',
      pygments_language: 'Rust',
      url_template: 'https://rust.example.com/?c={code}',
    };
    const ids: number[] = [];
    const events = await told([type], async () => {
      ids.push((await owner.must('post', 'realm/playgrounds', rust))['id'] as number);
      ids.push((await owner.must('post', 'realm/playgrounds', { ...rust, name: 'Other' }))['id'] as number);
      await owner.must('delete', `realm/playgrounds/${ids[0]}`);
    });
    const [first, second] = [
      { id: ids[0], ...rust },
      { id: ids[1], ...rust, name: 'Other' },
    ];
    expect(events).toEqual(
      [[first], [first, second], [second]].map((realm_playgrounds) => ({ type, realm_playgrounds })),
    );
    expect((await state(type))[type]).toEqual([second]);
  });

  it('when channel folders are made, changed and placed', async () => {
    const ids: number[] = [];
    const make = async (name: string): Promise<void> => {
      const reply = await owner.must('post', 'channel_folders/create', { name });
      ids.push(reply['channel_folder_id'] as number);
    };
    const events = await told(['channel_folder'], async () => {
      await make('Engineering');
      await make('Sales');
      await owner.must('patch', `channel_folders/${ids[0]}`, { name: 'Engines' });
      await owner.must('patch', `channel_folders/${ids[0]}`, { description: 'What we *build*' });
      await owner.must('patch', 'channel_folders', { order: ids.toReversed() });
      await owner.must('patch', `channel_folders/${ids[1]}`, { is_archived: true });
    });
    const [first, second] = ids;
    const listed = (await state('channel_folders'))['channel_folders'] as Reply[];
    expect(listed).toMatchObject([
      { id: second, name: 'Sales', is_archived: true, order: 0 },
      { id: first, name: 'Engines', order: 1 },
    ]);
    const added = { ...listed[1], name: 'Engineering', description: '', rendered_description: '', order: 0 };
    const update = { type: 'channel_folder', op: 'update' };
    expect(events).toEqual([
      { type: 'channel_folder', op: 'add', channel_folder: added },
      expect.objectContaining({ op: 'add' }),
      { ...update, channel_folder_id: first, data: { name: 'Engines' } },
      {
        ...update,
        channel_folder_id: first,
        data: { description: 'What we *build*', rendered_description: '<p>What we <em>build</em></p>' },
      },
      { type: 'channel_folder', op: 'reorder', order: [second, first] },
      { ...update, channel_folder_id: second, data: { is_archived: true } },
    ]);
  });

  it('when the default channels change', async () => {
    const channelId = await owner.createChannel('lobby');
    const events = await told(['default_streams'], async () => {
      await owner.must('post', 'default_streams', { stream_id: channelId });
      await owner.must('delete', 'default_streams', { stream_id: channelId });
    });
    expect(events).toEqual([
      { type: 'default_streams', default_streams: [channelId] },
      { type: 'default_streams', default_streams: [] },
    ]);
  });

  it('when a default channel is archived, which does not become one again when it is unarchived', async () => {
    const channelId = await owner.createChannel('porch', { is_default_stream: true });
    const events = await told(['default_streams'], async () => {
      await owner.must('delete', `streams/${channelId}`);
      const refused = await owner.post('default_streams', { stream_id: channelId });
      expect([refused.status, refused.body['msg']]).toEqual([400, 'Invalid channel ID']);
      await owner.must('patch', `streams/${channelId}`, { is_archived: false });
    });
    expect(events).toEqual([{ type: 'default_streams', default_streams: [] }]);
    expect(await state('default_streams')).toMatchObject({ realm_default_streams: [] });
  });

  it('when a channel named in its settings is archived', async () => {
    const channelId = await owner.createChannel('board', { invite_only: true });
    const named = {
      new_stream_announcements_stream_id: channelId,
      signup_announcements_stream_id: channelId,
      zulip_update_announcements_stream_id: channelId,
      moderation_request_channel_id: channelId,
    };
    await patched(named);
    const events = await told(['realm'], () => owner.must('delete', `streams/${channelId}`));
    expect(events).toEqual(
      Object.keys(named).map((property) => ({ type: 'realm', op: 'update', property, value: -1 })),
    );
    expect(await state('realm')).toMatchObject(
      Object.fromEntries(Object.keys(named).map((name) => [`realm_${name}`, -1])),
    );
  });

  it('when user groups are renamed, get other permissions, are deactivated and reactivated', async () => {
    const group = { name: 'watch', description: '', members: [] };
    const { group_id } = await owner.must('post', 'user_groups/create', group);
    const path = `user_groups/${group_id}`;
    const events = await told(['user_group'], async () => {
      await owner.must('patch', path, { name: 'night watch', can_join_group: { new: 3 } });
      await owner.must('post', `${path}/subgroups`, { add: [5] });
      await owner.must('post', `${path}/subgroups`, { delete: [5] });
      await owner.must('post', `${path}/deactivate`);
      await owner.must('patch', path, { deactivated: false });
    });
    const of = (op: string, fields: object): object => ({ type: 'user_group', op, group_id, ...fields });
    expect(events).toEqual([
      of('update', { data: { name: 'night watch' } }),
      of('update', { data: { can_join_group: 3 } }),
      of('add_subgroups', { direct_subgroup_ids: [5] }),
      of('remove_subgroups', { direct_subgroup_ids: [5] }),
      of('update', { data: { deactivated: true } }),
      of('update', { data: { deactivated: false } }),
    ]);
  });

  it('when a user group changes, but not while it is deactivated if the client has no such groups', async () => {
    const { id: personId } = await server.createUser(owner, 'Crewman');
    const group = { name: 'crew', description: '', members: [personId] };
    const { group_id } = await owner.must('post', 'user_groups/create', group);
    const path = `user_groups/${group_id}`;
    const named = { direct_members: [personId], direct_subgroups: [] };
    const change = async (): Promise<void> => {
      await owner.must('patch', path, { name: 'old crew', description: 'Gone', deactivated: true });
      await owner.must('patch', path, { can_join_group: { new: named } });
      await owner.must('post', `${path}/subgroups`, { add: [5] });
      await owner.must('post', `${path}/members`, { delete: [personId] });
      await owner.must('post', `${path}/members`, { add: [personId] });
      await owner.must('delete', `users/${personId}`);
      await owner.must('patch', path, { name: 'new crew', deactivated: false });
    };
    const events = await told(['user_group'], change, { include_deactivated_groups: false });
    const ofGroup = events.filter(({ group_id: id = group_id }: { group_id?: unknown }) => id === group_id);
    expect(ofGroup).toEqual([
      { type: 'user_group', op: 'remove', group_id },
      {
        type: 'user_group',
        op: 'add',
        group: expect.objectContaining({
          id: group_id,
          description: 'Gone',
          members: [],
          direct_subgroup_ids: [5],
          deactivated: false,
        }),
      },
      { type: 'user_group', op: 'update', group_id, data: { name: 'new crew' } },
    ]);
  });
});
