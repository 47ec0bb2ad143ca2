import type { ProfileField } from '../../../access/records/profile-fields.js';

/** A field of the profiles as the API gives it (facts, section 2, profile fields). */
export interface FieldObject {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly hint: string;
  /** JSON text of a dropdown's choices or of an external account's site; empty for other types. */
  readonly field_data: string;
  /** From 1. */
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  /** Absent rather than false. */
  readonly display_in_profile_summary?: true;
  /** Absent rather than false. */
  readonly use_for_user_matching?: true;
}

/** The fields of the profiles, in their order. */
export function fieldObjects(fields: readonly ProfileField[]): readonly FieldObject[] {
  return fields.map((field, place) => ({
    id: field.fieldId,
    name: field.name,
    type: field.fieldType,
    hint: field.hint,
    field_data: field.fieldData,
    order: place + 1,
    required: field.required,
    editable_by_user: field.editableByUser,
    ...(field.displayInSummary ? { display_in_profile_summary: true } : {}),
    ...(field.useForMatching ? { use_for_user_matching: true } : {}),
  }));
}
