import { isAdministrator, isOwner } from './records/roles.js';
import type { PermissionRow } from './permission-row.js';
import * as permissions from './permissions.js';

const groupMembers = ['POST /user_groups/{group_id}/members'] as const;
const groupParts = ['POST /user_groups/{group_id}/subgroups'] as const;

/** The permissions for bots, user groups and the organization. */
export const peoplePermissionRows = {
  createBots: {
    permits: 'creating bots',
    decidedBy: permissions.mayCreateBot,
    basis: ['organization can_create_bots_group', 'organization can_create_write_only_bots_group'],
    operations: ['POST /bots'],
  },
  seeBot: {
    permits: 'seeing a bot in the list of bots: its owner and administrators',
    decidedBy: permissions.maySeeBot,
    basis: ['administrators'],
    operations: ['GET /bots'],
  },
  manageBot: {
    permits:
      'changing a bot and reading its API key: its owner and administrators, unless the bot has a higher role than they have',
    decidedBy: permissions.mayManageBot,
    basis: ['administrators'],
    operations: [
      'PATCH /bots/{bot_id}',
      'DELETE /bots/{bot_id}',
      'GET /bots/{bot_id}/api_key',
      'POST /bots/{bot_id}/api_key/regenerate',
    ],
  },
  handOverBot: {
    permits: 'giving a bot another owner, with a new API key',
    decidedBy: permissions.mayHandOverBot,
    basis: ['administrators'],
    operations: ['PATCH /bots/{bot_id}'],
  },
  reactivate: {
    permits: 'reactivating an account: administrators any account, other people only their own bots',
    decidedBy: permissions.mayReactivate,
    basis: [
      'administrators',
      'organization can_create_bots_group',
      'organization can_create_write_only_bots_group',
    ],
    operations: ['POST /users/{user_id}/reactivate'],
  },
  know: {
    permits:
      'seeing all people; without it, only bots, people in a common channel, and people with whom direct messages were exchanged',
    decidedBy: permissions.mayKnow,
    basis: ['organization can_access_all_users_group'],
    operations: ['GET /users', 'GET /users/{user_id_or_email}', 'POST /messages'],
  },
  createGroups: {
    permits: 'creating user groups',
    decidedBy: permissions.mayCreateGroups,
    basis: ['organization can_create_groups'],
    operations: ['POST /user_groups/create'],
  },
  manageGroup: {
    permits: 'changing a user group',
    decidedBy: permissions.mayManageGroup,
    basis: ['organization can_manage_all_groups', 'group can_manage_group'],
    operations: ['PATCH /user_groups/{group_id}', 'POST /user_groups/{group_id}/deactivate'],
  },
  addGroupMembers: {
    permits: 'adding others to a user group',
    decidedBy: permissions.mayAddGroupMembers,
    basis: ['group can_add_members_group', 'group can_manage_group'],
    operations: [...groupMembers, ...groupParts],
  },
  letIntoAuditingGroup: {
    permits:
      'adding to a group whose members may audit, changing its permissions and reactivating it, only for owners',
    decidedBy: permissions.mayLetIntoGroup,
    basis: ['owners', 'organization can_audit_group'],
    operations: [...groupMembers, ...groupParts, 'PATCH /user_groups/{group_id}'],
  },
  removeGroupMembers: {
    permits: 'removing others from a user group',
    decidedBy: permissions.mayRemoveGroupMembers,
    basis: ['group can_remove_members_group', 'group can_manage_group'],
    operations: [...groupMembers, ...groupParts],
  },
  joinGroup: {
    permits: 'joining a user group',
    decidedBy: permissions.mayJoinGroup,
    basis: ['group can_join_group', 'group can_add_members_group'],
    operations: groupMembers,
  },
  leaveGroup: {
    permits: 'leaving a user group',
    decidedBy: permissions.mayLeaveGroup,
    basis: ['group can_leave_group', 'group can_remove_members_group'],
    operations: groupMembers,
  },
  addCustomEmoji: {
    permits: 'adding custom emoji',
    decidedBy: permissions.mayAddCustomEmoji,
    basis: ['organization can_add_custom_emoji_group'],
    operations: ['POST /realm/emoji/{emoji_name}'],
  },
  audit: {
    permits: 'auditing: reading the log, including all messages',
    decidedBy: permissions.mayAudit,
    basis: ['organization can_audit_group'],
    operations: ['GET /audit/log', 'GET /audit/messages/{message_id}/history'],
  },
  invite: {
    permits: 'inviting people by e-mail or by reusable links',
    decidedBy: permissions.mayInvite,
    basis: ['organization can_invite_users_group', 'organization create_multiuse_invite_group'],
    operations: ['POST /invites', 'POST /invites/multiuse'],
  },
  changeEmails: {
    permits: 'changing the e-mail addresses of others, only for owners',
    decidedBy: permissions.mayChangeEmails,
    basis: ['owners', 'organization can_change_user_emails_group'],
    operations: ['PATCH /users/{user_id_or_email}'],
  },
  changeOrganization: {
    permits: 'changing the settings of the organization and the accounts of others',
    decidedBy: isAdministrator,
    basis: ['administrators'],
    operations: [
      'PATCH /realm',
      'POST /users',
      'PATCH /users/{user_id_or_email}',
      'DELETE /users/{user_id}',
      'POST /realm/profile_fields',
    ],
  },
  exportOrganization: {
    permits: 'exporting public data, and the private data of people who consent',
    decidedBy: permissions.mayExportOrganization,
    basis: ['administrators'],
    operations: [
      'POST /export/realm',
      'GET /export/realm',
      'DELETE /export/realm/{export_id}',
      'GET /export/realm/{export_id}/file',
      'GET /export/realm/consents',
    ],
  },
  exportEverything: {
    permits: 'exporting everything without consent, if the organization allows this',
    decidedBy: permissions.mayExportEverything,
    basis: ['owners'],
    operations: ['POST /export/realm', 'GET /export/realm/{export_id}/file'],
  },
  ownOrganization: {
    permits: 'setting who may join the organization and how long messages are kept',
    decidedBy: isOwner,
    basis: ['owners'],
    operations: [
      'POST /realm/domains',
      'PATCH /realm/domains/{domain}',
      'DELETE /realm/domains/{domain}',
      'PATCH /realm',
    ],
  },
} as const satisfies Record<string, PermissionRow>;
