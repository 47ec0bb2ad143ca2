import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as deciders from '../../src/directory/permissions.js';
import type { PermissionRow } from '../../src/directory/permission-row.js';
import {
  permissionNames,
  permissionTable,
  type PermissionName,
} from '../../src/directory/permission-table.js';
import { organizationPermissionNames } from '../../src/organization/permissions.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { png } from '../support/images.js';
import { TestServer } from '../support/server.js';

/** Everyone who tries. All but the outsider are subscribed to both channels; the bot is the member's. */
const actors = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
  'outsider',
  'deactivated',
] as const;
type Actor = (typeof actors)[number];

let server: TestServer;
const clients = {} as Record<Actor, ApiClient>;
const ids = {} as Record<Actor, number>;
/** A public channel and a private one, each with more subscribers than everyone may mention. */
let open: number;
let closed: number;
/** Somebody who does nothing, for others to subscribe, to add and to name. */
let bystander: number;

beforeAll(async () => {
  server = await TestServer.start();
  clients.owner = await server.owner();
  ids.owner = (await clients.owner.must('get', 'users/me'))['user_id'] as number;
  for (const actor of ['administrator', 'moderator', 'member', 'guest', 'outsider', 'deactivated'] as const) {
    ({ client: clients[actor], id: ids[actor] } = await server.createUser(clients.owner, actor));
  }
  for (const [actor, role] of [
    ['administrator', 200] as const,
    ['moderator', 300] as const,
    ['guest', 600] as const,
  ]) {
    await clients.owner.must('patch', `users/${ids[actor]}`, { role });
  }
  const made = await newBot(clients.member, 'relay');
  ids.bot = made.id;
  clients.bot = made.client;
  const crowd = await Promise.all(Array.from({ length: 12 }, (_, n) => newBot(clients.owner, `crowd ${n}`)));
  bystander = crowd[0]!.id;
  const subscribers = actors.filter((actor) => actor !== 'outsider').map((actor) => ids[actor]);
  const principals = [...subscribers, ...crowd.map(({ id }) => id)];
  open = await newChannel({}, principals);
  closed = await newChannel({ invite_only: true }, principals);
  await clients.owner.must('delete', `users/${ids.deactivated}`);
}, 120_000);

afterAll(async () => {
  await server.stop();
});

const picture = new File([png], 'picture.png', { type: 'image/png' });

let names = 0;
const newName = (): string => `thing ${(names += 1)}`;

async function newBot(
  client: ApiClient,
  name: string,
): Promise<{ readonly id: number; readonly client: ApiClient }> {
  const short_name = name.replaceAll(' ', '-');
  const made = await client.must('post', 'bots', { full_name: name, short_name, bot_type: 1 });
  const { email } = (await client.must('get', `users/${made['user_id']}`))['user'] as { email: string };
  const key = made['api_key'] as string;
  return { id: made['user_id'] as number, client: new ApiClient(server.site, { email, key }) };
}

async function newChannel(settings: object, principals: readonly number[] = []): Promise<number> {
  const name = newName();
  return clients.owner.createChannel(name, { principals, ...settings });
}

/** A channel of its own, with everyone who could be subscribed to the others. */
function anotherChannel(settings: object = {}): Promise<number> {
  return newChannel(
    settings,
    actors.filter((actor) => actor !== 'outsider' && actor !== 'deactivated').map((actor) => ids[actor]),
  );
}

async function said(to: number, by: ApiClient = clients.owner): Promise<number> {
  const message = { type: 'channel', to, topic: newName(), content: 'hello' };
  return (await by.must('post', 'messages', message))['id'] as number;
}

const say = (client: ApiClient, to: number, content = 'hello'): Promise<Answer> =>
  client.post('messages', { type: 'channel', to, topic: newName(), content });

/** A group of the member’s, with nobody in it unless it says otherwise. */
async function newGroup(permissions: object = {}, members: readonly number[] = []): Promise<number> {
  const request = { name: newName(), description: '', members, ...permissions };
  return (await clients.member.must('post', 'user_groups/create', request))['group_id'] as number;
}

const only = (...members: Actor[]): object => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
});

/** Sets a permission of the organization for the time of a walk. */
async function whileGiven<Result>(
  permission: string,
  { value, else: before }: { readonly value: unknown; readonly else: unknown },
  task: () => Promise<Result>,
): Promise<Result> {
  await clients.owner.must('patch', 'realm', { [permission]: { new: value } });
  try {
    return await task();
  } finally {
    await clients.owner.must('patch', 'realm', { [permission]: { new: before } });
  }
}

interface Attempt {
  /** What is tried, where a permission is tried in more than one way. */
  readonly at?: string;
  /** One try, on things of its own. */
  readonly act: (client: ApiClient, actor: Actor) => Promise<Answer>;
  /** Who succeeds. */
  readonly who: readonly Actor[];
  /** A permission of the organization that is given to others meanwhile: its value, and what it was. */
  readonly given?: readonly [permission: string, value: () => unknown, before: unknown];
}

const living: readonly Actor[] = actors.filter((actor) => actor !== 'deactivated');
const subscribers = living.filter((actor) => actor !== 'outsider');
const notGuests = living.filter((actor) => actor !== 'guest');
const people = notGuests.filter((actor) => actor !== 'bot');
const administrators: readonly Actor[] = ['owner', 'administrator'];
const moderators: readonly Actor[] = [...administrators, 'moderator'];

const create = (client: ApiClient, settings: object): Promise<Answer> =>
  client.post('users/me/subscriptions', { subscriptions: [{ name: newName() }], ...settings });

const attempts: Readonly<Record<PermissionName, readonly Attempt[]>> = {
  createChannels: [
    { at: 'public', act: (client) => create(client, {}), who: notGuests },
    { at: 'private', act: (client) => create(client, { invite_only: true }), who: notGuests },
    { at: 'web-public', act: (client) => create(client, { is_web_public: true }), who: ['owner'] },
    {
      at: 'public, given to some',
      act: (client) => create(client, {}),
      who: ['outsider'],
      given: ['can_create_public_channel_group', () => only('outsider'), 3],
    },
  ],
  chooseDefaultChannels: [
    { act: (client) => create(client, { is_default_stream: true }), who: administrators },
    {
      at: 'later',
      act: async (client) => client.post('default_streams', { stream_id: await newChannel({}) }),
      who: administrators,
    },
    {
      at: 'no longer',
      act: async (client) =>
        client.delete('default_streams', { stream_id: await newChannel({ is_default_stream: true }) }),
      who: administrators,
    },
  ],
  manageChannelFolders: [
    {
      act: (client) => client.post('channel_folders/create', { name: newName() }),
      who: administrators,
    },
    {
      at: 'their order',
      act: async (client) => {
        const { channel_folders: folders } = await clients.owner.must('get', 'channel_folders');
        const order = (folders as { readonly id: number }[]).map(({ id }) => id);
        return client.patch('channel_folders', { order });
      },
      who: administrators,
    },
  ],
  readChannel: [
    { at: 'public', act: async (client) => client.get(`messages/${await said(open)}`), who: living },
    { at: 'private', act: async (client) => client.get(`messages/${await said(closed)}`), who: subscribers },
    {
      at: 'private, for those who may subscribe',
      act: async (client) => {
        const place = await anotherChannel({ invite_only: true, history_public_to_subscribers: true });
        await clients.owner.must('patch', `streams/${place}`, {
          can_subscribe_group: { new: only('outsider') },
        });
        return client.get(`messages/${await said(place)}`);
      },
      who: living,
    },
  ],
  knowChannel: [
    { act: (client) => client.get(`streams/${closed}`), who: subscribers },
    {
      at: 'administered',
      act: async (client) => {
        const place = await newChannel({ invite_only: true, can_administer_channel_group: only('outsider') });
        return client.get(`streams/${place}`);
      },
      who: [...administrators, 'outsider'],
    },
  ],
  administerChannel: [
    {
      act: (client) => client.patch(`streams/${open}`, { description: newName() }),
      who: administrators,
    },
    {
      at: 'given to some',
      act: async (client) => {
        const place = await anotherChannel({ can_administer_channel_group: only('member', 'outsider') });
        return client.patch(`streams/${place}`, { description: newName() });
      },
      who: [...administrators, 'member', 'outsider'],
    },
    {
      at: 'archiving',
      act: async (client) => client.delete(`streams/${await anotherChannel()}`),
      who: administrators,
    },
  ],
  openChannel: [
    {
      act: async (client) =>
        client.patch(`streams/${await anotherChannel({ invite_only: true })}`, { is_private: false }),
      who: administrators,
    },
  ],
  setTopicsPolicy: [
    { act: (client) => create(client, { topics_policy: 'disable_empty_topic' }), who: notGuests },
    {
      at: 'given to some',
      act: (client) => create(client, { topics_policy: 'disable_empty_topic' }),
      who: moderators,
      given: ['can_set_topics_policy_group', () => 5, 3],
    },
  ],
  setDeletionPolicy: [
    { act: (client) => create(client, { can_delete_any_message_group: 5 }), who: moderators },
  ],
  subscribe: [
    {
      at: 'public',
      act: async (client) => {
        const name = newName();
        await clients.owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name }] });
        return client.post('users/me/subscriptions', { subscriptions: [{ name }] });
      },
      who: notGuests,
    },
    {
      at: 'private',
      act: async (client) => {
        const name = newName();
        const settings = { invite_only: true, can_subscribe_group: only('outsider') };
        await clients.owner.must('post', 'users/me/subscriptions', {
          subscriptions: [{ name }],
          ...settings,
        });
        return client.post('users/me/subscriptions', { subscriptions: [{ name }] });
      },
      who: ['owner', 'outsider'],
    },
  ],
  addSubscribers: [
    {
      at: 'given by the channel',
      act: async (client) => {
        const name = newName();
        const settings = { can_add_subscribers_group: only('member') };
        await clients.owner.must('post', 'users/me/subscriptions', {
          subscriptions: [{ name }],
          ...settings,
        });
        const request = { subscriptions: [{ name }], principals: [bystander] };
        return client.post('users/me/subscriptions', request);
      },
      who: [...administrators, 'member'],
      given: ['can_add_subscribers_group', () => 8, 3],
    },
  ],
  addSubscribersAnywhere: [{ act: (client) => create(client, { principals: [bystander] }), who: notGuests }],
  removeSubscribers: [
    {
      act: async (client) => {
        const name = newName();
        const request = { subscriptions: [{ name }], principals: [bystander] };
        await clients.owner.must('post', 'users/me/subscriptions', request);
        return client.delete('users/me/subscriptions', { subscriptions: [name], principals: [bystander] });
      },
      who: administrators,
    },
    {
      at: 'given to some',
      act: async (client) => {
        const name = newName();
        const settings = { can_remove_subscribers_group: only('member') };
        const request = { subscriptions: [{ name }], principals: [bystander], ...settings };
        await clients.owner.must('post', 'users/me/subscriptions', request);
        return client.delete('users/me/subscriptions', { subscriptions: [name], principals: [bystander] });
      },
      who: [...administrators, 'member'],
    },
  ],
  send: [
    { at: 'public', act: (client) => say(client, open), who: living },
    { at: 'private', act: (client) => say(client, closed), who: subscribers },
    {
      at: 'given to some',
      act: async (client) => say(client, await anotherChannel({ can_send_message_group: only('member') })),
      // A bot speaks where its owner may.
      who: ['member', 'bot'],
    },
    {
      at: 'for announcements only',
      act: async (client) => {
        const place = await anotherChannel();
        await clients.owner.must('patch', `streams/${place}`, { is_announcement_only: true });
        return say(client, place);
      },
      who: administrators,
    },
    {
      at: 'by the older policy',
      act: async (client) => {
        const place = await anotherChannel();
        await clients.owner.must('patch', `streams/${place}`, { stream_post_policy: 4 });
        return say(client, place);
      },
      who: moderators,
    },
    {
      at: 'by the older policy, from the start',
      act: async (client) => say(client, await anotherChannel({ stream_post_policy: 2 })),
      who: administrators,
    },
  ],
  createTopics: [
    {
      act: async (client) => say(client, await anotherChannel({ can_create_topic_group: 6 })),
      who: administrators,
    },
  ],
  resolveTopics: [
    { act: async (client) => resolve(client, await said(open)), who: living },
    {
      at: 'given by the channel',
      act: async (client) => {
        const place = await anotherChannel({ can_resolve_topics_group: only('member') });
        return resolve(client, await said(place));
      },
      who: [...administrators, 'member'],
      given: ['can_resolve_topics_group', () => 6, 2],
    },
  ],
  moveWithinChannel: [
    {
      act: async (client) => client.patch(`messages/${await said(open)}`, { topic: newName() }),
      who: living,
    },
    {
      at: 'given by the channel',
      act: async (client) => {
        const place = await anotherChannel({ can_move_messages_within_channel_group: only('member') });
        return client.patch(`messages/${await said(place)}`, { topic: newName() });
      },
      who: [...administrators, 'member'],
      given: ['can_move_messages_between_topics_group', () => 8, 2],
    },
  ],
  moveOutOfChannel: [
    {
      act: async (client) =>
        client.patch(`messages/${await said(open)}`, { stream_id: await anotherChannel() }),
      who: notGuests,
    },
    {
      at: 'given by the channel',
      act: async (client) => {
        const place = await anotherChannel({ can_move_messages_out_of_channel_group: only('member') });
        return client.patch(`messages/${await said(place)}`, { stream_id: open });
      },
      who: [...administrators, 'member'],
      given: ['can_move_messages_between_channels_group', () => 8, 3],
    },
  ],
  deleteAnyMessage: [
    { act: async (client) => client.delete(`messages/${await said(open)}`), who: administrators },
    {
      at: 'given by the channel',
      act: async (client) => {
        const place = await anotherChannel({ can_delete_any_message_group: only('member') });
        return client.delete(`messages/${await said(place)}`);
      },
      who: [...administrators, 'member'],
    },
  ],
  deleteOwnMessage: [
    {
      act: async (client, actor) =>
        client.delete(`messages/${await said(open, actor === 'deactivated' ? clients.owner : client)}`),
      who: living,
    },
    {
      at: 'given to some',
      act: async (client, actor) =>
        client.delete(`messages/${await said(open, actor === 'deactivated' ? clients.owner : client)}`),
      // Whoever deletes everyone's messages deletes their own.
      who: moderators,
      given: ['can_delete_own_message_group', () => 5, 2],
    },
    {
      at: 'given by the channel',
      act: async (client, actor) => {
        const place = await anotherChannel({ can_delete_own_message_group: only('member') });
        return client.delete(
          `messages/${await said(place, actor === 'deactivated' ? clients.owner : client)}`,
        );
      },
      who: [...administrators, 'member'],
      given: ['can_delete_own_message_group', () => 6, 2],
    },
  ],
  startConversation: [
    { act: (client) => talk(client), who: living },
    {
      at: 'given to some',
      act: (client) => talk(client),
      who: moderators,
      given: ['direct_message_initiator_group', () => 5, 2],
    },
  ],
  converse: [
    {
      at: 'given to some, to somebody who has it not',
      act: (client) => client.post('messages', { type: 'direct', to: [ids.outsider], content: 'hello' }),
      // With bots, and with oneself, anybody may talk.
      who: [...moderators, 'bot', 'outsider'],
      given: ['direct_message_permission_group', () => 5, 2],
    },
  ],
  mentionMany: [
    { act: (client) => say(client, open, '@**all** hear me'), who: administrators },
    {
      at: 'given to some',
      act: (client) => say(client, open, '@**all** hear me'),
      who: ['guest'],
      given: ['can_mention_many_users_group', () => only('guest'), 6],
    },
  ],
  mentionGroup: [
    {
      act: async (client) => {
        const name = newName();
        const request = { name, description: '', members: [], can_mention_group: 5 };
        await clients.member.must('post', 'user_groups/create', request);
        return say(client, open, `@*${name}* hear me`);
      },
      who: moderators,
    },
  ],
  createBots: [
    { act: (client) => makeBot(client, 1), who: people },
    {
      at: 'given to some',
      act: (client) => makeBot(client, 1),
      who: moderators,
      given: ['can_create_bots_group', () => 5, 3],
    },
    {
      at: 'that only send',
      act: (client) => makeBot(client, 2),
      who: people,
      given: ['can_create_bots_group', () => 5, 3],
    },
  ],
  manageBot: [
    {
      act: (client) => client.patch(`bots/${ids.bot}`, { full_name: newName() }),
      who: [...administrators, 'member'],
    },
  ],
  createGroups: [
    { act: (client) => makeGroup(client), who: notGuests },
    {
      at: 'given to some',
      act: (client) => makeGroup(client),
      who: moderators,
      given: ['can_create_groups', () => 5, 3],
    },
  ],
  manageGroup: [
    {
      act: async (client) => client.patch(`user_groups/${await newGroup()}`, { description: newName() }),
      who: ['owner', 'member'],
    },
    {
      at: 'deactivating, all groups given to some',
      act: async (client) => client.post(`user_groups/${await newGroup()}/deactivate`),
      who: [...moderators, 'member'],
      given: ['can_manage_all_groups', () => 5, 7],
    },
  ],
  addGroupMembers: [
    {
      act: async (client) => change(client, await newGroup(), { add: [bystander] }),
      who: ['owner', 'member'],
    },
    {
      at: 'given to some',
      act: async (client) =>
        change(client, await newGroup({ can_add_members_group: only('outsider') }), { add: [bystander] }),
      who: ['owner', 'member', 'outsider'],
    },
    {
      at: 'a group',
      act: async (client) => client.post(`user_groups/${await newGroup()}/subgroups`, { add: [6] }),
      who: ['owner', 'member'],
    },
  ],
  removeGroupMembers: [
    {
      act: async (client) => change(client, await newGroup({}, [bystander]), { delete: [bystander] }),
      who: ['owner', 'member'],
    },
    {
      at: 'given to some',
      act: async (client) =>
        change(client, await newGroup({ can_remove_members_group: 5 }, [bystander]), { delete: [bystander] }),
      who: [...moderators, 'member'],
    },
  ],
  joinGroup: [
    {
      act: async (client, actor) =>
        change(client, await newGroup({ can_join_group: 5 }), { add: [ids[actor]] }),
      who: [...moderators, 'member'],
    },
  ],
  leaveGroup: [
    {
      act: async (client, actor) =>
        change(client, await newGroup({}, membersWith(actor)), { delete: [ids[actor]] }),
      who: living,
    },
    {
      at: 'given to some',
      act: async (client, actor) =>
        change(client, await newGroup({ can_leave_group: 5 }, membersWith(actor)), { delete: [ids[actor]] }),
      who: [...moderators, 'member'],
    },
  ],
  addCustomEmoji: [
    { act: (client) => client.upload(`realm/emoji/loom_${(names += 1)}`, picture), who: notGuests },
    {
      at: 'given to some',
      act: (client) => client.upload(`realm/emoji/loom_${(names += 1)}`, picture),
      who: moderators,
      given: ['can_add_custom_emoji_group', () => 5, 3],
    },
  ],
  invite: [
    { at: 'by letters', act: (client) => invite(client), who: people },
    { at: 'by links', act: (client) => inviteMany(client), who: administrators },
    {
      at: 'by letters, given to some',
      act: (client) => invite(client),
      who: moderators,
      given: ['can_invite_users_group', () => 5, 3],
    },
    {
      at: 'by links, given to some',
      act: (client) => inviteMany(client),
      who: ['outsider'],
      given: ['create_multiuse_invite_group', () => only('outsider', 'bot'), 6],
    },
  ],
  changeEmails: [
    { act: (client) => changeEmail(client), who: ['owner'] },
    {
      at: 'taken from all',
      act: (client) => changeEmail(client),
      who: [],
      given: ['can_change_user_emails_group', () => 8, 7],
    },
  ],
  changeOrganization: [
    { act: (client) => client.patch('realm', { description: newName() }), who: administrators },
    {
      at: 'a person',
      act: (client) => client.patch(`users/${bystander}`, { full_name: newName() }),
      who: administrators,
    },
  ],
  ownOrganization: [
    {
      act: (client) =>
        client.post('realm/domains', { domain: `d${(names += 1)}.example.com`, allow_subdomains: false }),
      who: ['owner'],
    },
    {
      at: 'a setting',
      act: (client) => client.patch('realm', { waiting_period_threshold: 0 }),
      who: ['owner'],
    },
  ],
};

function invite(client: ApiClient): Promise<Answer> {
  const invitee_emails = `invited.${(names += 1)}@example.com`;
  return client.post('invites', { invitee_emails, stream_ids: [] });
}

function inviteMany(client: ApiClient): Promise<Answer> {
  return client.post('invites/multiuse', { stream_ids: [] });
}

function changeEmail(client: ApiClient): Promise<Answer> {
  return client.patch(`users/${ids.deactivated}`, { new_email: `moved.${(names += 1)}@example.com` });
}

/** A deactivated account can be in no group. */
function membersWith(actor: Actor): number[] {
  return actor === 'deactivated' ? [] : [ids[actor]];
}

async function resolve(client: ApiClient, messageId: number): Promise<Answer> {
  const { message } = await clients.owner.must('get', `messages/${messageId}`);
  return client.patch(`messages/${messageId}`, {
    topic: `✔ ${message['subject']}`,
    propagate_mode: 'change_all',
  });
}

/** Begins a conversation that nobody had: with the one asked and two of the crowd. */
async function talk(client: ApiClient): Promise<Answer> {
  const stranger = await newBot(clients.owner, newName());
  return client.post('messages', { type: 'direct', to: [stranger.id, bystander], content: 'hello' });
}

function makeBot(client: ApiClient, bot_type: number): Promise<Answer> {
  const name = newName();
  return client.post('bots', { full_name: name, short_name: name.replaceAll(' ', '-'), bot_type });
}

function makeGroup(client: ApiClient): Promise<Answer> {
  return client.post('user_groups/create', { name: newName(), description: '', members: [] });
}

function change(client: ApiClient, groupId: number, changes: object): Promise<Answer> {
  return client.post(`user_groups/${groupId}/members`, { ...changes });
}

/** Who succeeded, and whether everybody else was refused as they should be. */
async function walk({
  act,
  given,
}: Attempt): Promise<{ readonly who: Actor[]; readonly refusals: string[] }> {
  const who: Actor[] = [];
  const refusals = new Set<string>();
  const tryAll = async (): Promise<void> => {
    for (const actor of actors) {
      const { status, body } = await act(clients[actor], actor);
      if (status === 200 && body['unauthorized'] === undefined) who.push(actor);
      else refusals.add(`${actor === 'deactivated' ? 'deactivated ' : ''}${status} ${body.code}`);
    }
  };
  if (given === undefined) await tryAll();
  else await whileGiven(given[0], { value: given[1](), else: given[2] }, tryAll);
  return { who, refusals: [...refusals] };
}

const walks = permissionNames.flatMap((name) =>
  attempts[name].map((attempt) => {
    const { permits }: PermissionRow = permissionTable[name];
    return [attempt.at === undefined ? permits : `${permits} (${attempt.at})`, attempt] as const;
  }),
);

describe('the permission', () => {
  it.each(walks)('%s is theirs who hold it, and of nobody else', async (_title, attempt) => {
    const { who, refusals } = await walk(attempt);
    expect([...who].sort()).toEqual([...attempt.who].sort());
    expect(refusals).toContain('deactivated 401 UNAUTHORIZED');
    const others = refusals.filter((refusal) => !refusal.startsWith('deactivated'));
    expect(others.every((refusal) => refusal.startsWith('400 '))).toBe(true);
  });
});

describe('the table of permissions', () => {
  it('names every question of permission that the code can answer', () => {
    const named = new Set<unknown>(permissionNames.map((name) => permissionTable[name].decidedBy));
    const questions = Object.entries(deciders).filter(([name]) => /^(may|has|permits)[A-Z]/.test(name));
    expect(questions.filter(([, decider]) => !named.has(decider)).map(([name]) => name)).toEqual([]);
  });

  it('names every permission of the organization, but those that nothing asks yet', () => {
    const named = new Set(permissionNames.flatMap((name): readonly string[] => permissionTable[name].basis));
    const missing = organizationPermissionNames.filter((name) => !named.has(`organization ${name}`));
    expect(missing).toEqual([
      'can_access_all_users_group',
      'can_manage_billing_group',
      'can_summarize_topics_group',
    ]);
  });

  it('names operations that there are, and the documentation page tells of each what it asks', async () => {
    const document = (await (await fetch(`${server.site}/api/docs-json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
    };
    for (const name of permissionNames) {
      const { operations, permits }: PermissionRow = permissionTable[name];
      for (const operation of operations) {
        const [method = '', path = ''] = operation.split(' ');
        const description = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]?.description;
        expect([operation, description?.includes(permits)]).toEqual([operation, true]);
      }
    }
  });
});
