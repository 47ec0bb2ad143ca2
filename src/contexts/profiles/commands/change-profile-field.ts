import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { ProfileFieldEvent } from '../../../events/profile-fields.js';
import { fieldDataOf, knownAccountOf } from '../../../access/records/field-data.js';
import {
  assertNameFree,
  assertRoomInSummary,
  assertSupported,
  labelsOf,
  type FieldOptions,
} from '../field-definition.js';
import { ProfileFieldChanges } from '../profile-field-changes.js';
import {
  profileField,
  type ProfileField,
  type ProfileFields,
} from '../../../access/records/profile-fields.js';

/** What is to be another; undefined: left as it is. */
export type FieldChange = {
  readonly [Option in keyof Omit<FieldOptions, 'fieldData'>]: FieldOptions[Option] | undefined;
} & {
  /** As it was sent. */
  readonly fieldData: unknown;
};

/** Changes a field of the profiles in anything but its type (PATCH /realm/profile_fields/{field_id}). */
export class ChangeProfileField extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fieldId: number,
    readonly change: FieldChange,
  ) {
    super();
  }
}

/**
 * What is so already is no change.
 *
 * @throws ApplicationError `administratorRequired`, `noSuchProfileField`, `summaryFull`, `invalidFieldData`, a name or hint
 * that will not do, `knownAccountFixed`, `summaryUnsupported`, `matchingUnsupported`, `profileFieldNameTaken`
 */
export function decideChangeProfileField(
  state: ProfileFields,
  { fieldId, change }: Pick<ChangeProfileField, 'fieldId' | 'change'>,
  { actor }: ActorAt,
): readonly ProfileFieldEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const present = profileField(state, fieldId);
  if (change.displayInSummary === true) assertRoomInSummary(state, fieldId);
  const field = changedField(present, change);
  assertSupported(field);
  assertNameFree(state, field);
  return isSame(field, present) ? [] : [{ type: 'ProfileFieldChanged', data: field }];
}

function changedField(present: ProfileField, change: FieldChange): ProfileField {
  const { fieldType } = present;
  const fieldData =
    change.fieldData === undefined ? present.fieldData : fieldDataOf(fieldType, change.fieldData);
  const wanted = { name: change.name ?? present.name, hint: change.hint ?? present.hint };
  if (knownAccountOf(fieldType, present.fieldData) !== null)
    assertUntouched(present, { ...wanted, fieldData });
  return {
    ...present,
    ...labelsOf({ fieldType, fieldData }, wanted),
    fieldData,
    displayInSummary: change.displayInSummary ?? present.displayInSummary,
    required: change.required ?? present.required,
    editableByUser: change.editableByUser ?? present.editableByUser,
    useForMatching: change.useForMatching ?? present.useForMatching,
  };
}

/** What clients know of a site by themselves cannot be told otherwise. */
function assertUntouched(
  present: ProfileField,
  wanted: Pick<ProfileField, 'name' | 'hint' | 'fieldData'>,
): void {
  const { name, hint, fieldData } = present;
  if (wanted.name === name && wanted.hint === hint && wanted.fieldData === fieldData) return;
  throw failure('knownAccountFixed');
}

function isSame(one: ProfileField, other: ProfileField): boolean {
  return (Object.keys(one) as (keyof ProfileField)[]).every((property) => one[property] === other[property]);
}

@CommandHandler(ChangeProfileField)
export class ChangeProfileFieldHandler implements ICommandHandler<ChangeProfileField> {
  constructor(private readonly changes: ProfileFieldChanges) {}

  async execute({ caller, fieldId, change }: ChangeProfileField): Promise<void> {
    await this.changes.decide(caller, (state, by) =>
      decideChangeProfileField(state, { fieldId, change }, by),
    );
  }
}
