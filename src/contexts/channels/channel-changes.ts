import type { Moment } from '../../access/moment.js';
import type { PermissionChange } from '../../events/values/group-setting.js';
import type { User } from '../../access/records/user.js';
import type { Channel } from '../../access/records/channel.js';
import type { ChannelDirectoryEvent, ChannelPermissions, TopicsPolicy } from '../../events/channels.js';

/** What a request changes; undefined stays as it is. */
export interface ChannelChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isWebPublic?: boolean | undefined;
  readonly historyPublicToSubscribers?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  /** Null: the organization's; -1: for ever. */
  readonly messageRetentionDays?: number | null | undefined;
  readonly topicsPolicy?: TopicsPolicy | undefined;
  readonly folderId?: number | null | undefined;
  readonly permissions: Partial<Record<keyof ChannelPermissions, PermissionChange>>;
}

/** What the decision goes by. */
export interface ChannelUpdateContext {
  readonly moment: Moment;
  readonly user: User;
  /** Whether all that was ever said in the channel stands in its empty topic; only asked where it matters. */
  readonly hasOnlyEmptyTopic: boolean;
}

/** One part of the decision: what of the changes it answers for, and nothing else. */
export type DecideChange = (
  channel: Channel,
  changes: ChannelChanges,
  context: ChannelUpdateContext,
) => readonly ChannelDirectoryEvent[];
