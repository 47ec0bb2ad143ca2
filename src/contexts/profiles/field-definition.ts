import { boundedText, requiredText } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import { knownExternalAccounts } from '../../access/records/external-accounts.js';
import { knownAccountOf } from '../../access/records/field-data.js';
import { canMatchUsers, canStandInSummary } from '../../events/values/field-types.js';
import type { ProfileField, ProfileFields } from '../../access/records/profile-fields.js';

/** The options of a field that administrators choose, beside its type. */
export type FieldOptions = Omit<ProfileField, 'fieldId' | 'fieldType'>;

/** Maximum number of fields in the summary of a profile. */
const maxInSummary = 2;

const fieldName = { name: 'name', max: 40, isName: true } as const;
const fieldHint = { name: 'hint', max: 80, isName: true } as const;

/** @throws ApplicationError `summaryFull` when the maximum number of other fields is in the summary */
export function assertRoomInSummary({ fields }: ProfileFields, fieldId: number): void {
  const others = fields.filter((field) => field.displayInSummary && field.fieldId !== fieldId);
  if (others.length >= maxInSummary) throw failure('summaryFull', { reason: String(maxInSummary) });
}

/**
 * Name and hint of a field. Fields for accounts at known sites have fixed ones.
 *
 * @throws ApplicationError for a blank or too long name, or a hint that is too long
 */
export function labelsOf(
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
export function assertSupported(field: ProfileField): void {
  if (field.displayInSummary && !canStandInSummary(field.fieldType)) throw failure('summaryUnsupported');
  if (field.useForMatching && !canMatchUsers(field.fieldType)) throw failure('matchingUnsupported');
}

/** @throws ApplicationError `profileFieldNameTaken` */
export function assertNameFree({ fields }: ProfileFields, { fieldId, name }: ProfileField): void {
  if (fields.some((other) => other.name === name && other.fieldId !== fieldId)) {
    throw failure('profileFieldNameTaken');
  }
}
