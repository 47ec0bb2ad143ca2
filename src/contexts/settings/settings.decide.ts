import type { User } from '../../access/records/user.js';
import type { Actor } from '../../access/actor.js';
import { membersOf } from '../../access/membership.js';
import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { sortedIds } from '../../kernel/ids.js';
import { isAdministrator } from '../../access/records/roles.js';
import type {
  UserSettingAssigned,
  UserSettingDefaultChanged,
  UserSettingChanged,
} from '../../events/settings.js';
import type { ChosenSettings } from '../../access/records/personal-settings.js';
import { settingNames, settingTable, type SettingName } from '../../events/values/setting-table.js';
import type { Directory } from '../../access/directory.js';
import { currentValue, type OwnSettings } from './settings.state.js';

/** The people whose settings are changed, and the new values. */
export interface Assignment {
  readonly settings: ChosenSettings;
  readonly userIds: readonly number[];
  /** Also changes the settings of the active members of these groups. */
  readonly groupIds: readonly number[];
  /** Skips people who have ever set the setting themselves. */
  readonly skipIfAlreadyEdited: boolean;
}

/**
 * Administrators may change the settings of others, except those that are their own business. Bots have no
 * settings: those among the people named are left out.
 *
 * @returns one event for each setting, with the people for whom it changes
 * @throws ApplicationError `botsNotAllowed`, `administratorRequired`, `targetUsersRequired`,
 * `settingIsPersonal`, `noSuchUser`, `invalidUserGroup`
 */
export function decideAssignSettings(
  { settings, skipIfAlreadyEdited, ...targets }: Assignment,
  { user: actor, snapshot }: Actor,
): readonly EventOf<typeof UserSettingAssigned>[] {
  assertPerson(actor);
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const requested = settingNames.filter((name) => settings[name] !== undefined);
  const personal = requested.find((name) => settingTable[name].isSensitive);
  if (personal !== undefined) throw failure('settingIsPersonal', { reason: personal });
  const people = peopleOf(targets, snapshot);
  const { settings: current } = snapshot.directory;
  return requested.flatMap((name) => {
    const value = settings[name] as NonNullable<ChosenSettings[SettingName]>;
    const userIds = people.filter(
      (id) => current.value(id, name) !== value && !(skipIfAlreadyEdited && current.isOwnChoice(id, name)),
    );
    return userIds.length === 0
      ? []
      : [{ type: 'UserSettingAssigned', data: { setting: name, value, userIds } }];
  });
}

function peopleOf(
  { userIds, groupIds }: Pick<Assignment, 'userIds' | 'groupIds'>,
  snapshot: Snapshot,
): readonly number[] {
  if (userIds.length === 0 && groupIds.length === 0) throw failure('targetUsersRequired');
  const { directory } = snapshot;
  if (userIds.some((id) => directory.user(id) === null)) throw failure('noSuchUser');
  if (groupIds.some((id) => directory.group(id)?.isDeactivated !== false)) throw failure('invalidUserGroup');
  // Together, because each group would otherwise be read again for every group that contains it.
  const members = membersOf(snapshot, { direct_members: [], direct_subgroups: [...groupIds] });
  const people = [...userIds, ...members].filter((id) => directory.user(id)?.bot === null);
  return sortedIds(people);
}

/** @throws ApplicationError `botsNotAllowed`, `administratorRequired` */
export function decideChangeSettingDefaults(
  requested: ChosenSettings,
  { user: actor, snapshot }: Actor,
): readonly EventOf<typeof UserSettingDefaultChanged>[] {
  assertPerson(actor);
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const current = snapshot.directory.settings.ofNewAccounts();
  return settingNames.flatMap((name) => {
    const value = requested[name];
    if (value === undefined || value === current[name]) return [];
    return [{ type: 'UserSettingDefaultChanged', data: { setting: name, value } }];
  });
}

/**
 * Only people have settings, not bots.
 *
 * @throws ApplicationError `botsNotAllowed`
 */
export function assertPerson({ bot }: User): void {
  if (bot !== null) throw failure('botsNotAllowed');
}

/** One event for each setting that really changes. */
export function decideChangeSettings(
  own: OwnSettings,
  requested: ChosenSettings,
  { userId, directory }: { readonly userId: number; readonly directory: Directory },
): readonly EventOf<typeof UserSettingChanged>[] {
  return settingNames.flatMap((name) => {
    const value = requested[name];
    if (value === undefined || value === currentValue(own, directory, { userId, name })) return [];
    return [{ type: 'UserSettingChanged', data: { userId, setting: name, value } }];
  });
}
