import type { Actor } from '../../access/actor.js';
import { fieldDataOf, knownAccountOf, knownExternalAccounts } from '../../access/records/field-data.js';
import { profileField, type ProfileField, type ProfileFields } from '../../access/records/profile-fields.js';
import { assertAdministrator } from '../../access/records/roles.js';
import type { ProfileFieldEvent } from '../../events/profile-fields.js';
import { canMatchUsers, canStandInSummary, fieldTypeSchema } from '../../events/values/field-types.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { boundedText, requiredText } from '../../kernel/text.js';

/** The options of a field that administrators choose, beside its type. */
type FieldOptions = Omit<ProfileField, 'fieldId' | 'fieldType'>;

/** Maximum number of fields in the summary of a profile. */
const MAX_IN_SUMMARY = 2;

/** The limits of the name of a profile field. */
export const fieldName = { name: 'name', max: 40, isName: true } as const;
/** The limits of the explanation of a profile field. */
export const fieldHint = { name: 'hint', max: 80, isName: true } as const;

/** @throws ApplicationError `summaryFull` when the maximum number of other fields is in the summary */
function assertRoomInSummary({ fields }: ProfileFields, fieldId: number): void {
  const others = fields.filter((field) => field.displayInSummary && field.fieldId !== fieldId);
  if (others.length >= MAX_IN_SUMMARY) throw failure('summaryFull', { reason: String(MAX_IN_SUMMARY) });
}

/**
 * Name and hint of a field. Fields for accounts at known sites have fixed ones.
 *
 * @throws ApplicationError for a blank or too long name, or a hint that is too long
 */
function labelsOf(
  { fieldType, fieldData }: { readonly fieldType: number; readonly fieldData: string },
  { name, hint }: Pick<ProfileField, 'name' | 'hint'>,
): Pick<ProfileField, 'name' | 'hint'> {
  const known = knownAccountOf(fieldType, fieldData);
  if (known !== null) {
    const { name: ownName, hint: ownHint } = knownExternalAccounts[known];
    return { name: ownName, hint: ownHint };
  }
  return { name: requiredText(name, fieldName), hint: boundedText(hint, fieldHint) };
}

/** @throws ApplicationError `summaryUnsupported`, `matchingUnsupported` */
function assertSupported(field: ProfileField): void {
  if (field.displayInSummary && !canStandInSummary(field.fieldType)) throw failure('summaryUnsupported');
  if (field.useForMatching && !canMatchUsers(field.fieldType)) throw failure('matchingUnsupported');
}

/** @throws ApplicationError `profileFieldNameTaken` */
function assertNameFree({ fields }: ProfileFields, { fieldId, name }: ProfileField): void {
  if (fields.some((other) => other.name === name && other.fieldId !== fieldId)) {
    throw failure('profileFieldNameTaken');
  }
}

/** The parameters of a new field. */
export interface NewField extends Omit<FieldOptions, 'fieldData'> {
  readonly fieldType: number;
  /** As it was sent. */
  readonly fieldData: unknown;
}

/**
 * The order of the checks decides which error clients get.
 *
 * @throws ApplicationError `administratorRequired`, `summaryFull`, `invalidFieldData`, an invalid name or
 * hint, `invalidFieldType`, `summaryUnsupported`, `matchingUnsupported`, `profileFieldNameTaken`,
 * `tooManyProfileFields`
 */
export function decideCreateProfileField(
  state: ProfileFields,
  sent: NewField,
  { user }: Actor,
): readonly ProfileFieldEvent[] {
  assertAdministrator(user);
  const fieldId = state.created + 1;
  if (sent.displayInSummary) assertRoomInSummary(state, fieldId);
  const fieldData = fieldDataOf(sent.fieldType, sent.fieldData);
  const labels = labelsOf({ fieldType: sent.fieldType, fieldData }, sent);
  const type = fieldTypeSchema.safeParse(sent.fieldType);
  if (!type.success) throw failure('invalidFieldType');
  const field = { ...sent, ...labels, fieldId, fieldType: type.data, fieldData };
  assertSupported(field);
  assertNameFree(state, field);
  if (state.fields.length >= budgets.profileFields.max) throw failure('tooManyProfileFields');
  return [{ type: 'ProfileFieldCreated', data: field }];
}

/** The changes to a field; undefined: no change. */
export type FieldChange = {
  readonly [Option in keyof Omit<FieldOptions, 'fieldData'>]: FieldOptions[Option] | undefined;
} & {
  /** As it was sent. */
  readonly fieldData: unknown;
};

/**
 * No events when nothing changes.
 *
 * @throws ApplicationError `administratorRequired`, `noSuchProfileField`, `summaryFull`, `invalidFieldData`,
 * an invalid name or hint, `knownAccountFixed`, `summaryUnsupported`, `matchingUnsupported`,
 * `profileFieldNameTaken`
 */
export function decideChangeProfileField(
  state: ProfileFields,
  { fieldId, change }: { readonly fieldId: number; readonly change: FieldChange },
  { user }: Actor,
): readonly ProfileFieldEvent[] {
  assertAdministrator(user);
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

/** Name and hint of a known site cannot be changed. */
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

/** @throws ApplicationError `administratorRequired`, `noSuchProfileField` */
export function decideDeleteProfileField(
  state: ProfileFields,
  fieldId: number,
  { user }: Actor,
): readonly ProfileFieldEvent[] {
  assertAdministrator(user);
  profileField(state, fieldId);
  return [{ type: 'ProfileFieldDeleted', data: { fieldId } }];
}

/** @throws ApplicationError `administratorRequired`; `invalidFieldOrder` if not every field is named once */
export function decideReorderProfileFields(
  { fields }: ProfileFields,
  fieldIds: readonly number[],
  { user }: Actor,
): readonly ProfileFieldEvent[] {
  assertAdministrator(user);
  const named = new Set(fieldIds);
  const isWhole = fieldIds.length === fields.length && fields.every(({ fieldId }) => named.has(fieldId));
  if (!isWhole) throw failure('invalidFieldOrder');
  if (fields.every(({ fieldId }, place) => fieldIds[place] === fieldId)) return [];
  return [{ type: 'ProfileFieldsReordered', data: { fieldIds: [...fieldIds] } }];
}
