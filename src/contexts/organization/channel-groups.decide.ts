import type { Actor } from '../../access/actor.js';
import type { Channel } from '../../access/records/channel.js';
import { hasMetadataAccess } from '../../access/channel-permissions.js';
import { isLongerThan, requiredText } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { isAdministrator } from '../../access/records/roles.js';
import { limits } from '../../events/values/organization-defaults.js';
import type { OrganizationEvent } from '../../events/organization.js';
import { groupsOf, type DefaultChannelGroup, type Organization } from '../../access/records/organization.js';

/** The changes to a group of default channels; undefined: no change. */
export interface ChannelGroupChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Names of channels to add, and to remove. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** @throws ApplicationError `administratorRequired`, `tooManyChannelGroups`, `tooManyChannelsInGroup`, and those of the name, the description and the channels */
export function decideCreateChannelGroup(
  organization: Organization,
  {
    name,
    description,
    add = [],
  }: ChannelGroupChanges & { readonly name: string; readonly description: string },
  actor: Actor & { readonly nextRevision: number },
): readonly OrganizationEvent[] {
  if (!isAdministrator(actor.user)) throw failure('administratorRequired');
  if (groupsOf(organization).length >= budgets.defaultChannelGroups.max)
    throw failure('tooManyChannelGroups');
  const group = {
    groupId: idAtRevision(actor.nextRevision),
    name: freeName(organization, name, null),
    description: fittingDescription(description),
    channelIds: [...new Set(add.map((channel) => optionalChannel(channel, actor).id))],
  };
  assertRoomInGroup(group.channelIds);
  return [{ type: 'DefaultChannelGroupCreated', data: group }];
}

/** @throws ApplicationError `noSuchChannelGroup`, and those of {@link decideCreateChannelGroup} */
export function decideChangeChannelGroup(
  organization: Organization,
  groupId: number,
  { changes, actor }: { readonly changes: ChannelGroupChanges; readonly actor: Actor },
): readonly OrganizationEvent[] {
  const group = channelGroup(organization, groupId, actor);
  const { name, description, add = [], remove = [] } = changes;
  const present = new Set(group.channelIds);
  const removed = new Set(remove.map((channel) => channelOfGroup(present, channel, actor)));
  const added = new Set(add.map((channel) => optionalChannel(channel, actor).id));
  if ([...added].some((id) => present.has(id))) throw failure('channelAlreadyInGroup');
  const channelIds = [...group.channelIds.filter((id) => !removed.has(id)), ...added];
  // A group from before the maximum may have more; channels can be removed from it.
  if (added.size > 0) assertRoomInGroup(channelIds);
  const data = {
    groupId,
    name: name === undefined ? group.name : freeName(organization, name, groupId),
    description: description === undefined ? group.description : fittingDescription(description),
    channelIds,
  };
  return JSON.stringify(data) === JSON.stringify(group) ? [] : [{ type: 'DefaultChannelGroupChanged', data }];
}

/** @throws ApplicationError `administratorRequired`, `noSuchChannelGroup` */
export function decideRemoveChannelGroup(
  organization: Organization,
  groupId: number,
  actor: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  channelGroup(organization, groupId, actor);
  return [{ type: 'DefaultChannelGroupRemoved', data: { groupId } }];
}

function channelGroup(
  organization: Organization,
  groupId: number,
  { user: actor }: Pick<Actor, 'user'>,
): DefaultChannelGroup {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const group = groupsOf(organization).find((one) => one.groupId === groupId);
  if (group === undefined) throw failure('noSuchChannelGroup');
  return group;
}

function assertRoomInGroup(channelIds: readonly number[]): void {
  if (channelIds.length > budgets.channelsOfGroup.max) throw failure('tooManyChannelsInGroup');
}

function freeName(organization: Organization, sent: string, ownId: number | null): string {
  const name = requiredText(sent, { name: 'group_name', max: limits.channelName });
  const isTaken = groupsOf(organization).some((one) => one.name === name && one.groupId !== ownId);
  if (isTaken) throw failure('channelGroupNameTaken');
  return name;
}

function fittingDescription(sent: string): string {
  const description = sent.trim();
  if (isLongerThan(description, limits.channelDescription)) throw failure('channelDescriptionTooLong');
  return description;
}

/** A public channel, by its name, that new people are not subscribed to in any case. */
function optionalChannel(name: string, actor: Actor): Channel {
  const channel = publicChannel(name, actor);
  if (channel.isDefault) throw failure('channelIsDefaultForAll');
  return channel;
}

/** Id of a channel of the group, by its name: it may have become private or archived since it was added. */
function channelOfGroup(
  channelIds: ReadonlySet<number>,
  name: string,
  { user: actor, snapshot }: Actor,
): number {
  const named = [...snapshot.directory.channelsNamed(name)].filter((channel) =>
    hasMetadataAccess(snapshot, actor, channel),
  );
  if (named.length === 0) throw failure('invalidChannelName');
  const found = named.find(({ id }) => channelIds.has(id));
  if (found === undefined) throw failure('channelNotInGroup');
  return found.id;
}

/** A public channel, by its name. */
function publicChannel(name: string, { user: actor, snapshot }: Actor): Channel {
  const channel = snapshot.directory.channelByName(name);
  if (channel === null || channel.isArchived || !hasMetadataAccess(snapshot, actor, channel)) {
    throw failure('invalidChannelName');
  }
  if (channel.privacy.inviteOnly) throw failure('defaultChannelPrivate');
  return channel;
}
