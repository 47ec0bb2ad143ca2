import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';
import type { ChannelPermissions, ChannelPermissionsChanged } from '../../events/channels.js';
import { sizeOfSettings } from '../../events/values/group-setting.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { ChannelDirectory } from './channels.state.js';

/** What a request adds to the channels that one person created. */
interface NewChannels {
  readonly count: number;
  readonly permissions: ChannelPermissions;
}

/** @throws ApplicationError `tooManyChannels`, `channelsNameTooMany` */
export function assertRoomForChannels(
  directory: ChannelDirectory,
  creatorId: number,
  { count, permissions }: NewChannels,
): void {
  const created = createdBy(directory, creatorId);
  if (created.length + count > budgets.channelsOfPerson.max) throw failure('tooManyChannels');
  assertNamed(created, count * sizeOfSettings(permissions));
}

/**
 * A change that makes permissions name fewer is never refused.
 *
 * @throws ApplicationError `channelsNameTooMany`
 */
export function assertRoomForPermissions(
  directory: ChannelDirectory,
  { creatorId }: Channel,
  { permissions, previousPermissions }: EventOf<typeof ChannelPermissionsChanged>['data'],
): void {
  if (creatorId === null) return;
  assertNamed(
    createdBy(directory, creatorId),
    sizeOfSettings(permissions) - sizeOfSettings(previousPermissions),
  );
}

function assertNamed(channels: readonly Channel[], growth: number): void {
  if (growth <= 0) return;
  const named = channels.reduce((sum, { permissions }) => sum + sizeOfSettings(permissions), 0);
  if (named + growth > budgets.namedInChannelsOfPerson.max) throw failure('channelsNameTooMany');
}

/** People whom a request subscribes to channels. */
export interface AddedSubscriptions {
  /** Of the channels; null: nobody created them. */
  readonly creatorId: number | null;
  readonly count: number;
}

/** @throws ApplicationError `tooManySubscriptions` */
export function assertRoomForSubscriptions(
  channels: ChannelDirectory,
  directory: Directory,
  additions: readonly AddedSubscriptions[],
): void {
  const byCreator = new Map<number, number>();
  for (const { creatorId, count } of additions) {
    if (creatorId !== null && count > 0) byCreator.set(creatorId, (byCreator.get(creatorId) ?? 0) + count);
  }
  if (byCreator.size === 0) return;
  for (const { id, creatorId } of channels.channels.values()) {
    const count = creatorId === null ? undefined : byCreator.get(creatorId);
    if (count !== undefined) byCreator.set(creatorId!, count + directory.subscriptionCount(id));
  }
  for (const count of byCreator.values()) {
    if (count > budgets.subscriptionsToChannelsOfPerson.max) throw failure('tooManySubscriptions');
  }
}

function createdBy({ channels }: ChannelDirectory, creatorId: number): readonly Channel[] {
  return [...channels.values()].filter((channel) => channel.creatorId === creatorId);
}
