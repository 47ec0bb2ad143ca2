import type { Recorded } from '../../kernel/event.js';
import { renderMarkdown } from '../../markdown/render.js';
import type { ProfileDataChanged } from '../../events/profile-fields.js';
import { offersChoice } from './field-data.js';
import { fieldTypes, isMarkdownField } from '../../events/values/field-types.js';
import type { ProfileField } from './profile-fields.js';

/** What a person's profile says in one field. */
export interface ProfileValue {
  readonly value: string;
  /** The value rendered; null where the field's type is no Markdown. */
  readonly html: string | null;
}

/** What a person's profile says, also in fields that are gone by now. */
export interface Profile {
  readonly userId: number;
  /** By the field's id. */
  readonly values: Readonly<Record<string, ProfileValue>>;
}

/** What an event makes of a person's profile; null before they filled in anything. */
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

/** What a profile says in a field that there is; null for nothing, and for a choice that is not offered any more. */
export function profileValue(profile: Profile | null, field: ProfileField): ProfileValue | null {
  const value = profile?.values[field.fieldId];
  if (value === undefined) return null;
  const isGone = field.fieldType === fieldTypes.SELECT.id && !offersChoice(field, value.value);
  return isGone ? null : value;
}
