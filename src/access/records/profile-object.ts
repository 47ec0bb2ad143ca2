import { profileValue, type Profile } from './profile.js';
import type { ProfileField } from './profile-fields.js';

/** A profile's values, by the field's id. */
export type ProfileObject = Readonly<
  Record<string, { readonly value: string; readonly rendered_value?: string }>
>;

/** Formats a profile for the API: its values by the ids of their fields. */
export function profileObject(profile: Profile | null, fields: readonly ProfileField[]): ProfileObject {
  const values: Record<string, ProfileObject[string]> = {};
  for (const field of fields) {
    const said = profileValue(profile, field);
    if (said === null) continue;
    const { value, html } = said;
    values[field.fieldId] = html === null ? { value } : { value, rendered_value: html };
  }
  return values;
}
