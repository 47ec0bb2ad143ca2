import { directMembersOf } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { systemGroupIds } from '../../../events/values/organization-defaults.js';
import type { OrganizationSettings } from '../../../events/values/organization-settings.js';
import type { AddressedEvent, MapperContext } from '../../../realtime/mapper.js';
import {
  accessEvents,
  metadataReaders,
  type Activities,
} from '../../channels/client-events/channel-access.js';
import { channelsUsingGroup } from '../../channels/client-events/group-access.js';
import type { ChannelModels } from '../../channels/client-models.js';

interface OfSettings {
  readonly data: { readonly settings: Partial<OrganizationSettings> };
}

const { fullMembers } = systemGroupIds;

/** The full members, and who may know of each channel whose visibility depends on that. */
interface FullMembers {
  readonly memberIds: readonly number[];
  readonly knowers: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The state before the event; null: the waiting period does not change. */
function before(event: OfSettings, snapshot: Snapshot): FullMembers | null {
  return isChanged(event) ? fullMembersAt(snapshot) : null;
}

function isChanged({ data: { settings } }: OfSettings): boolean {
  return settings.waiting_period_threshold !== undefined;
}

function fullMembersAt(snapshot: Snapshot): FullMembers {
  const group = snapshot.directory.group(fullMembers);
  const channels = channelsUsingGroup(snapshot, fullMembers);
  return {
    memberIds: group === null ? [] : directMembersOf(snapshot, group),
    knowers: new Map(channels.map(({ id }) => [id, metadataReaders(snapshot, id)])),
  };
}

function read(event: OfSettings, models: ChannelModels, snapshot: Snapshot): Promise<Activities> {
  const channels = isChanged(event) ? channelsUsingGroup(snapshot, fullMembers) : [];
  return models.activities(channels.map(({ id }) => id));
}

function clientEvents(
  _event: OfSettings,
  { snapshot, before, read }: MapperContext<FullMembers | null, Activities>,
): readonly AddressedEvent[] {
  if (before === null) return [];
  const after = fullMembersAt(snapshot);
  const sight = [...after.knowers].flatMap(([channelId, knowers]) => {
    const channel = snapshot.directory.channel(channelId);
    if (channel === null) return [];
    const known = { before: before.knowers.get(channelId) ?? new Set<number>(), after: knowers };
    return accessEvents(channel, known, { snapshot, activities: read });
  });
  return [
    ...membership('remove_members', without(before.memberIds, after.memberIds)),
    ...membership('add_members', without(after.memberIds, before.memberIds)),
    ...sight,
  ];
}

function without(ids: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}

function membership(op: string, user_ids: readonly number[]): readonly AddressedEvent[] {
  if (user_ids.length === 0) return [];
  return [{ to: 'everyone', event: { type: 'user_group', op, group_id: fullMembers, user_ids } }];
}

/** A changed waiting period makes other people full members, who may know of other channels. */
export const waitingPeriod = { before, read, clientEvents };
