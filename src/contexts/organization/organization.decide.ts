import type { Actor } from '../../access/actor.js';
import type { Channel } from '../../access/records/channel.js';
import { hasMetadataAccess } from '../../access/channel-permissions.js';
import { changedPermissions } from '../../access/permission-value.js';
import { isSingleLine } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import { refuseUnrenderable } from '../../markdown/render.js';
import { isAdministrator, isOwner } from '../../access/records/roles.js';
import type { OrganizationEvent, PictureKind } from '../../events/organization.js';
import type { PermissionChange } from '../../events/values/group-setting.js';
import type { Organization } from '../../access/records/organization.js';
import {
  organizationPermissionTable,
  type OrganizationPermissionName,
  type OrganizationPermissions,
} from '../../events/values/organization-permissions.js';
import {
  organizationSettingTable,
  type OrganizationSettingName,
  type OrganizationSettings,
} from '../../events/values/organization-settings.js';
import {
  NO_CHANNEL,
  type OrganizationSetting,
  type SettingChanger,
} from '../../events/values/organization-setting-kinds.js';
import { MIN_DELETION_DELAY } from './server-constants.js';
import { apiNameOf } from './setting-names.js';
import type { StoredImage } from '../../stores/file-store/image.js';

/** The changes of a request; what it does not name does not change. */
export interface OrganizationChanges {
  /** As they were sent: see {@link settingValue}. */
  readonly settings: Partial<Record<OrganizationSettingName, unknown>>;
  readonly permissions: Partial<Record<OrganizationPermissionName, PermissionChange>>;
}

/**
 * All or nothing; values that do not change make no events.
 *
 * @throws ApplicationError `administratorRequired`, `ownerRequired`, `invalidSetting`, `invalidChannel`,
 * `moderationChannelPublic`, `expectationMismatch`, and those of a permission's value
 */
export function decideOrganizationChanges(
  organization: Organization,
  changes: OrganizationChanges,
  actor: Actor,
): readonly OrganizationEvent[] {
  assertMayChange(changes, actor);
  return [
    ...settingsChanged(organization, changes, actor),
    ...permissionsChanged(organization, changes, actor),
  ];
}

/** Removes a channel from every setting that names it. */
export function withoutChannel(
  { settings: present }: Organization,
  channelId: number,
): readonly OrganizationEvent[] {
  const names = (Object.keys(organizationSettingTable) as OrganizationSettingName[]).filter(
    (name) => organizationSettingTable[name].kind === 'channel' && present[name] === channelId,
  );
  const settings = Object.fromEntries(names.map((name) => [name, NO_CHANNEL]));
  const previousSettings = Object.fromEntries(names.map((name) => [name, channelId]));
  return names.length === 0
    ? []
    : [{ type: 'OrganizationSettingsChanged', data: { settings, previousSettings } }];
}

function assertMayChange({ settings, permissions }: OrganizationChanges, { user: actor }: Actor): void {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  if (isOwner(actor)) return;
  const changers: readonly SettingChanger[] = [
    ...(Object.keys(settings) as OrganizationSettingName[]).map(
      (name) => organizationSettingTable[name].changedBy,
    ),
    ...(Object.keys(permissions) as OrganizationPermissionName[]).map(
      (name) => organizationPermissionTable[name].changedBy,
    ),
  ];
  if (changers.includes('owners')) throw failure('ownerRequired');
}

function settingsChanged(
  { settings: present }: Organization,
  { settings: sent }: OrganizationChanges,
  actor: Actor,
): readonly OrganizationEvent[] {
  const names = Object.keys(sent) as OrganizationSettingName[];
  const requested = names.map((name) => [name, settingValue(actor, name, sent[name])] as const);
  const changed = requested.filter(([name, value]) => value !== present[name]);
  if (changed.length === 0) return [];
  const settings = Object.fromEntries(changed) as Partial<OrganizationSettings>;
  const previousSettings = Object.fromEntries(changed.map(([name]) => [name, present[name]]));
  return [{ type: 'OrganizationSettingsChanged', data: { settings, previousSettings } }];
}

/**
 * The stored form of a setting's value. Texts are trimmed; `unlimited` is null for a time limit and -1 for
 * the retention; `default` is null for an address.
 *
 * @throws ApplicationError `invalidSetting`, `unrenderableText`, `invalidChannel`, `moderationChannelPublic`
 */
function settingValue(actor: Actor, name: OrganizationSettingName, sent: unknown): unknown {
  const { kind, schema } = organizationSettingTable[name] as OrganizationSetting<unknown>;
  const result = schema.safeParse(plainValue(kind, sent));
  if (name === 'name' && typeof sent === 'string' && !isSingleLine(sent.trim())) {
    throw failure('settingNotOnOneLine', { reason: name });
  }
  if (!result.success) {
    throw failure('invalidSetting', {
      reason: { name: apiNameOf(name), fault: result.error.issues[0]?.message ?? 'not valid' },
    });
  }
  if (name === 'description') refuseUnrenderable(result.data as string, {});
  if (kind === 'channel' && result.data !== NO_CHANNEL) {
    const channel = knownChannel(actor, result.data as number);
    if (name === 'moderation_request_channel_id' && !channel.privacy.inviteOnly) {
      throw failure('moderationChannelPublic');
    }
  }
  return result.data;
}

function plainValue(kind: OrganizationSetting<unknown>['kind'], sent: unknown): unknown {
  if (kind === 'address' && sent === 'default') return null;
  if ((kind === 'text' || kind === 'address') && typeof sent === 'string') return sent.trim();
  if (sent !== 'unlimited') return sent;
  if (kind === 'limit') return null;
  return kind === 'retention' ? -1 : sent;
}

function knownChannel({ user: actor, snapshot }: Actor, channelId: number): Channel {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || channel.isArchived || !hasMetadataAccess(snapshot, actor, channel)) {
    throw failure('invalidChannel');
  }
  return channel;
}

function permissionsChanged(
  { permissions: present }: Organization,
  { permissions: changes }: OrganizationChanges,
  { snapshot }: Actor,
): readonly OrganizationEvent[] {
  const changed = changedPermissions<keyof OrganizationPermissions>(snapshot, {
    present,
    rules: organizationPermissionTable,
    changes,
  });
  return changed === null ? [] : [{ type: 'OrganizationPermissionsChanged', data: changed }];
}

/** @throws ApplicationError `ownerRequired`, `invalidDeletionDelay` */
export function decideDeactivateOrganization(
  { isDeactivated }: Organization,
  deletionDelayDays: number | null,
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  if (deletionDelayDays !== null && deletionDelayDays < MIN_DELETION_DELAY)
    throw failure('invalidDeletionDelay');
  return isDeactivated === true ? [] : [{ type: 'OrganizationDeactivated', data: { deletionDelayDays } }];
}

/** No events if it is active. */
export function decideReactivateOrganization(
  { isDeactivated }: Organization,
  operator: string,
): readonly OrganizationEvent[] {
  return isDeactivated === true ? [{ type: 'OrganizationReactivated', data: { operator } }] : [];
}

/**
 * Sets a picture of the organization, or removes it (null); no events if there is none to remove.
 *
 * @throws ApplicationError `administratorRequired`
 */
export function decidePicture(
  { pictures }: Organization,
  { kind, image }: { readonly kind: PictureKind; readonly image: StoredImage | null },
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const replacedName = pictures?.[kind]?.stored?.storageName ?? null;
  if (image === null) {
    return replacedName === null
      ? []
      : [{ type: 'OrganizationPictureRemoved', data: { kind, replacedName } }];
  }
  const { stored, fileName } = image;
  const { name: storageName, contentKey, size } = stored;
  return [
    {
      type: 'OrganizationPictureChanged',
      data: { kind, storageName, contentKey, fileName, size, replacedName },
    },
  ];
}
