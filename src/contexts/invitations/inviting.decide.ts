import { hasMetadataAccess, mayAddSubscribers } from '../../access/channel-permissions.js';
import type { Actor } from '../../access/actor.js';
import type { Channel } from '../../access/records/channel.js';
import type { Snapshot } from '../../access/snapshot.js';
import { mayAddGroupMembers, mayInvite } from '../../access/people-permissions.js';
import { isLongerThan } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import type { Role } from '../../events/users.js';
import { isAdministrator, isGuest, isWithinRole, roles } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { InvitationTerms } from '../../events/invitations.js';

/** Maximum length of a welcome text, in code points. */
export const MAX_WELCOME_TEXT_LENGTH = 8000;

/**
 * Guests and bots may not invite; others if the organization allows it.
 *
 * @throws ApplicationError `guestsNotAllowed`, `botsNotAllowed`, `insufficientPermission`
 */
export function assertMayInvite(
  { snapshot, user: inviter }: Actor,
  permission: Parameters<typeof mayInvite>[2],
): void {
  assertMayHaveInvited(inviter);
  if (!mayInvite(snapshot, inviter, permission)) throw failure('insufficientPermission');
}

/** @throws ApplicationError `guestsNotAllowed`, `botsNotAllowed` */
export function assertMayHaveInvited(inviter: User): void {
  if (inviter.bot !== null) throw failure('botsNotAllowed');
  if (isGuest(inviter)) throw failure('guestsNotAllowed');
}

/**
 * People may invite only to roles that have no permissions beyond their own.
 *
 * @throws ApplicationError `ownerRequired`, `administratorRequired`
 */
export function assertMayInviteAs(inviter: User, role: Role): void {
  if (isWithinRole(inviter, role)) return;
  throw failure(role === roles.owner ? 'ownerRequired' : 'administratorRequired');
}

/**
 * @throws ApplicationError `noInvitationsForChannel`, the same for a channel that does not exist and one that
 * the inviter may not know of; `insufficientPermission` for a channel that is no default one and to which
 * they may not subscribe others, and for a group; `invalidUserGroup`
 */
export function assertMayPromise(
  actor: Actor,
  { channelIds, groupIds }: Pick<InvitationTerms, 'channelIds' | 'groupIds'>,
): void {
  const { snapshot, user: inviter } = actor;
  const channels = channelIds.map((id) => {
    const channel = snapshot.directory.channel(id);
    if (channel === null || channel.isArchived || !hasMetadataAccess(snapshot, inviter, channel)) {
      throw failure('noInvitationsForChannel', { reason: String(id) });
    }
    return channel;
  });
  // Everybody new may be subscribed to the default channels anyway.
  const mayPromise = channels.every(
    (channel) => channel.isDefault || mayAddSubscribers(snapshot, inviter, channel),
  );
  if (!mayPromise) throw failure('mayNotSubscribeOthers');
  for (const id of groupIds) assertMayPromiseGroup(actor, id);
}

function assertMayPromiseGroup({ snapshot, user: inviter }: Actor, groupId: number): void {
  const group = snapshot.directory.group(groupId);
  if (group === null || group.isDeactivated) throw failure('invalidUserGroup');
  if (!mayAddGroupMembers(snapshot, inviter, group)) throw failure('insufficientPermission');
}

/**
 * What of an invitation's channels and groups its inviter may still give. Nothing but the default channels is left of an invitation whose
 * inviter is gone, which could not be used any more either.
 */
export function promisedStill(
  snapshot: Snapshot,
  inviterId: number | null,
  { channelIds, groupIds }: Pick<InvitationTerms, 'channelIds' | 'groupIds'>,
): Pick<InvitationTerms, 'channelIds' | 'groupIds'> {
  // The server promised it itself.
  if (inviterId === null) return { channelIds, groupIds };
  const { directory } = snapshot;
  const known = directory.user(inviterId);
  const inviter = known?.isActive === true ? known : null;
  const mayGiveChannel = (channel: Channel): boolean =>
    channel.isDefault || (inviter !== null && mayAddSubscribers(snapshot, inviter, channel));
  return {
    channelIds: channelIds.filter((id) => {
      const channel = directory.channel(id);
      return channel !== null && mayGiveChannel(channel);
    }),
    groupIds: groupIds.filter((id) => {
      const group = directory.group(id);
      return group !== null && inviter !== null && mayAddGroupMembers(snapshot, inviter, group);
    }),
  };
}

/**
 * The stored form of the welcome text, which only administrators may choose. The limit of its length holds for
 * everybody.
 *
 * @throws ApplicationError `welcomeTextTooLong`
 */
export function welcomeTextOf(inviter: User, sent: string | null): string | null {
  if (sent === null) return null;
  if (isLongerThan(sent, MAX_WELCOME_TEXT_LENGTH)) throw failure('welcomeTextTooLong');
  return isAdministrator(inviter) ? sent.trim() : null;
}
