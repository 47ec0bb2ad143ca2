import type { peoplePermissionRows } from '../../../src/access/people-permission-rows.js';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { png } from '../../support/images.js';
import { administrators, living, moderators, notGuests, people, type Actor } from './actors.js';
import { shared, type Attempts } from './attempt.js';
import type { Stage } from './stage.js';

/** A list counts as a success where the member’s bot is in it. */
function listing(answer: Answer, field: string): Answer {
  const { status, body } = answer;
  const isListed = (JSON.stringify(body[field]) ?? '').includes('relay-bot@');
  return status !== 200 || isListed ? answer : { ...answer, status: 400 };
}

/** Who tries what of {@link peoplePermissionRows}. */
export function peopleAttempts(stage: Stage): Attempts<typeof peoplePermissionRows> {
  const { ids } = stage;
  const picture = new File([png], 'picture.png', { type: 'image/png' });

  function invite(client: ApiClient): Promise<Answer> {
    const invitee_emails = `invited.${stage.nextNumber()}@example.com`;
    return client.post('invites', { invitee_emails, stream_ids: [] });
  }

  function inviteMany(client: ApiClient): Promise<Answer> {
    return client.post('invites/multiuse', { stream_ids: [] });
  }

  function changeEmail(client: ApiClient): Promise<Answer> {
    return client.patch(`users/${ids.deactivated}`, { new_email: `moved.${stage.nextNumber()}@example.com` });
  }

  /** A deactivated account can be in no group. */
  function membersWith(actor: Actor): number[] {
    return actor === 'deactivated' ? [] : [ids[actor]];
  }

  function makeBot(client: ApiClient, bot_type: number): Promise<Answer> {
    const name = stage.newName();
    return client.post('bots', { full_name: name, short_name: name.replaceAll(' ', '-'), bot_type });
  }

  function makeGroup(client: ApiClient): Promise<Answer> {
    return client.post('user_groups/create', { name: stage.newName(), description: '', members: [] });
  }

  function change(client: ApiClient, groupId: number, changes: object): Promise<Answer> {
    return client.post(`user_groups/${groupId}/members`, { ...changes });
  }

  /** A group that all members manage, and whose members may audit while an attempt is given it. */
  let auditing = 0;
  async function newAuditingGroup(): Promise<number> {
    return (auditing = await stage.newGroup({ can_add_members_group: 3, can_manage_group: 3 }));
  }

  return {
    audit: [
      { at: 'the log', act: (client) => client.get('audit/log', { limit: 1 }), who: ['owner'] },
      {
        at: 'the log, given to some',
        act: (client) => client.get('audit/log', { limit: 1 }),
        who: moderators,
        given: ['can_audit_group', () => 5, 7],
      },
    ],
    know: [
      {
        act: shared(
          async () => {
            const email = `stranger.${stage.nextNumber()}@example.com`;
            const stranger = { email, password: 'secret-of-strangers', full_name: 'Stranger' };
            return (await stage.clients.owner.must('post', 'users', stranger))['user_id'] as number;
          },
          (id, client) => client.get(`users/${id}`),
        ),
        who: notGuests,
        given: ['can_access_all_users_group', () => 3, 2],
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
        act: (client) => client.patch(`bots/${ids.bot}`, { full_name: stage.newName() }),
        who: [...administrators, 'member'],
      },
    ],
    seeBot: [
      {
        act: async (client) => listing(await client.get('bots'), 'bots'),
        who: ['member'],
      },
      {
        at: 'when they register',
        act: async (client) =>
          listing(await client.post('register', { event_types: ['realm_bot'] }), 'realm_bots'),
        who: [...administrators, 'member'],
      },
    ],
    handOverBot: [
      {
        act: async (client) => {
          const bot = await stage.newBot(stage.clients.member, stage.newName());
          return client.patch(`bots/${bot}`, { bot_owner_id: ids.outsider });
        },
        who: administrators,
      },
    ],
    reactivate: [
      {
        at: 'a bot of the member’s',
        act: async (client) => {
          const bot = await stage.newBot(stage.clients.member, stage.newName());
          await stage.clients.member.must('delete', `bots/${bot}`);
          return client.post(`users/${bot}/reactivate`);
        },
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
        act: shared(
          () => stage.newGroup(),
          (id, client) => client.patch(`user_groups/${id}`, { description: stage.newName() }),
        ),
        who: ['owner', 'member'],
      },
      {
        at: 'deactivating, all groups given to some',
        act: async (client) => client.post(`user_groups/${await stage.newGroup()}/deactivate`),
        who: [...moderators, 'member'],
        given: ['can_manage_all_groups', () => 5, 7],
      },
    ],
    addGroupMembers: [
      {
        act: async (client) => change(client, await stage.newGroup(), { add: [stage.bystander] }),
        who: ['owner', 'member'],
      },
      {
        at: 'given to some',
        act: async (client) =>
          change(client, await stage.newGroup({ can_add_members_group: stage.only('outsider') }), {
            add: [stage.bystander],
          }),
        who: ['owner', 'member', 'outsider'],
      },
      {
        at: 'a group',
        act: async (client) => client.post(`user_groups/${await stage.newGroup()}/subgroups`, { add: [6] }),
        who: ['owner', 'member'],
      },
    ],
    letIntoAuditingGroup: [
      {
        at: 'people',
        act: (client) => change(client, auditing, { add: [stage.bystander] }),
        who: ['owner'],
        given: ['can_audit_group', newAuditingGroup, 7],
      },
      {
        at: 'a group',
        act: (client) => client.post(`user_groups/${auditing}/subgroups`, { add: [6] }),
        who: ['owner'],
        given: ['can_audit_group', newAuditingGroup, 7],
      },
      {
        at: 'its permissions',
        act: (client, actor) =>
          client.patch(`user_groups/${auditing}`, { can_join_group: { new: stage.only(actor) } }),
        who: ['owner'],
        given: ['can_audit_group', newAuditingGroup, 7],
      },
    ],
    removeGroupMembers: [
      {
        act: async (client) =>
          change(client, await stage.newGroup({}, [stage.bystander]), { delete: [stage.bystander] }),
        who: ['owner', 'member'],
      },
      {
        at: 'given to some',
        act: async (client) =>
          change(client, await stage.newGroup({ can_remove_members_group: 5 }, [stage.bystander]), {
            delete: [stage.bystander],
          }),
        who: [...moderators, 'member'],
      },
    ],
    joinGroup: [
      {
        act: async (client, actor) =>
          change(client, await stage.newGroup({ can_join_group: 5 }), { add: [ids[actor]] }),
        who: [...moderators, 'member'],
      },
    ],
    leaveGroup: [
      {
        act: async (client, actor) =>
          change(client, await stage.newGroup({}, membersWith(actor)), { delete: [ids[actor]] }),
        who: living,
      },
      {
        at: 'given to some',
        act: async (client, actor) =>
          change(client, await stage.newGroup({ can_leave_group: 5 }, membersWith(actor)), {
            delete: [ids[actor]],
          }),
        who: [...moderators, 'member'],
      },
    ],
    addCustomEmoji: [
      { act: (client) => client.upload(`realm/emoji/loom_${stage.nextNumber()}`, picture), who: notGuests },
      {
        at: 'given to some',
        act: (client) => client.upload(`realm/emoji/loom_${stage.nextNumber()}`, picture),
        who: moderators,
        given: ['can_add_custom_emoji_group', () => 5, 3],
      },
    ],
    invite: [
      { at: 'by e-mail', act: (client) => invite(client), who: people },
      { at: 'by links', act: (client) => inviteMany(client), who: administrators },
      {
        at: 'by e-mail, given to some',
        act: (client) => invite(client),
        who: moderators,
        given: ['can_invite_users_group', () => 5, 3],
      },
      {
        at: 'by links, given to some',
        act: (client) => inviteMany(client),
        who: ['outsider'],
        given: ['create_multiuse_invite_group', () => stage.only('outsider', 'bot'), 6],
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
      { act: (client) => client.patch('realm', { description: stage.newName() }), who: administrators },
      {
        at: 'a person',
        act: (client) => client.patch(`users/${stage.bystander}`, { full_name: stage.newName() }),
        who: administrators,
      },
    ],
    exportOrganization: [
      // Each may ask for one: more than five in a week are refused to all.
      { act: (client) => client.post('export/realm'), who: administrators },
      { at: 'who consents', act: (client) => client.get('export/realm/consents'), who: administrators },
      { at: 'the list', act: (client) => client.get('export/realm'), who: administrators },
    ],
    exportEverything: [
      {
        act: shared(
          () => stage.clients.owner.must('patch', 'realm', { owner_full_content_access: true }),
          (_allowed, client) => client.post('export/realm', { export_type: 'full_without_consent' }),
        ),
        who: ['owner'],
      },
    ],
    ownOrganization: [
      {
        act: (client) =>
          client.post('realm/domains', {
            domain: `d${stage.nextNumber()}.example.com`,
            allow_subdomains: false,
          }),
        who: ['owner'],
      },
      {
        at: 'a setting',
        act: (client) => client.patch('realm', { waiting_period_threshold: 0 }),
        who: ['owner'],
      },
    ],
  };
}
