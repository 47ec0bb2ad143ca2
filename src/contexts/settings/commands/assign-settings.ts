import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { membersOf } from '../../../access/membership.js';
import type { Moment } from '../../../access/moment.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { UserSettingAssigned } from '../../../events/settings.js';
import type { ChosenSettings } from '../../../access/records/personal-settings.js';
import { SettingChanges } from '../setting-changes.js';
import { settingNames, settingTable, type SettingName } from '../../../events/values/setting-table.js';

/** Changes the settings of other people (specification, "User settings", `target_users`). */
export class AssignSettings extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly assignment: Assignment,
  ) {
    super();
  }
}

/** Whose settings are to be changed, and to what. */
export interface Assignment {
  readonly settings: ChosenSettings;
  readonly userIds: readonly number[];
  /** The active members of these groups are meant as well. */
  readonly groupIds: readonly number[];
  /** Leaves a setting alone for whoever has ever set it themselves. */
  readonly skipIfAlreadyEdited: boolean;
}

/**
 * Administrators set what guards nobody's privacy.
 *
 * @returns one event for each setting, with the people for whom it was something else
 * @throws ApplicationError `administratorRequired`, `targetUsersRequired`, `settingIsPersonal`, `noSuchUser`,
 * `invalidUserGroup`
 */
export function decideAssignSettings(
  { settings, skipIfAlreadyEdited, ...targets }: Assignment,
  { user: actor, moment }: Actor,
): readonly EventOf<typeof UserSettingAssigned>[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const requested = settingNames.filter((name) => settings[name] !== undefined);
  const personal = requested.find((name) => settingTable[name].isSensitive);
  if (personal !== undefined) throw failure('settingIsPersonal', { reason: personal });
  const people = peopleOf(targets, moment);
  const { settings: current } = moment.directory;
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
  moment: Moment,
): readonly number[] {
  if (userIds.length === 0 && groupIds.length === 0) throw failure('targetUsersRequired');
  const { directory } = moment;
  if (userIds.some((id) => directory.user(id)?.bot !== null)) throw failure('noSuchUser');
  if (groupIds.some((id) => directory.group(id)?.isDeactivated !== false)) throw failure('invalidUserGroup');
  const members = groupIds.flatMap((id) => membersOf(moment, id));
  const people = [...userIds, ...members].filter((id) => directory.user(id)?.bot === null);
  return [...new Set(people)].sort((a, b) => a - b);
}

@CommandHandler(AssignSettings)
export class AssignSettingsHandler implements ICommandHandler<AssignSettings> {
  constructor(private readonly changes: SettingChanges) {}

  async execute({ caller, assignment }: AssignSettings): Promise<void> {
    const by = this.changes.acting(caller);
    await this.changes.applyShared(caller, () => decideAssignSettings(assignment, by));
  }
}
