import type { Recorded } from '../../kernel/event.js';
import { renderMarkdown } from '../../markdown/render.js';
import type { ProfileDataChanged } from '../../events/profile-fields.js';
import { offersChoice } from './field-data.js';
import { fieldTypes, isMarkdownField } from '../../events/values/field-types.js';
import type { ProfileField } from './profile-fields.js';

/** The value of one field in a person's profile. */
export interface ProfileValue {
  readonly value: string;
  /** The rendered value; null if the field's type is not Markdown. */
  readonly html: string | null;
}

/** A person's profile, including values of fields that were deleted. */
export interface Profile {
  readonly userId: number;
  /** By the field's id. */
  readonly values: Readonly<Record<string, ProfileValue>>;
}

/** Applies an event to a person's profile; null before they filled in anything. */
export function evolveProfile(
  profile: Profile | null,
  { data: { userId, values: changes } }: Recorded<typeof ProfileDataChanged>,
): Profile {
  const values: Record<string, ProfileValue> = { ...profile?.values };
  for (const { fieldId, fieldType, value } of changes) {
    if (value === null) delete values[fieldId];
    else
      values[fieldId] = { value, html: isMarkdownField(fieldType) ? renderMarkdown(value, {}).html : null };
  }
  return { userId, values };
}

/**
 * The value of an existing field in a profile; null if there is none, or if it is a choice that no longer
 * exists.
 */
export function profileValue(profile: Profile | null, field: ProfileField): ProfileValue | null {
  const value = profile?.values[field.fieldId];
  if (value === undefined) return null;
  const isGone = field.fieldType === fieldTypes.SELECT.id && !offersChoice(field, value.value);
  return isGone ? null : value;
}
