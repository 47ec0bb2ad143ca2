import type { ProfileDataChanged, ProfileFieldEvent } from '../../events/profile-fields.js';
import { fieldTypes, isMarkdownField } from '../../events/values/field-types.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { renderDescription } from '../../markdown/render.js';
import { offersChoice } from './field-data.js';
import {
  noProfileFields,
  profileFieldsFold,
  type ProfileField,
  type ProfileFields,
} from './profile-fields.js';
import type { User } from './user.js';

/** The value of one field in a person's profile. */
interface ProfileValue {
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
    else values[fieldId] = { value, html: isMarkdownField(fieldType) ? renderDescription(value) : null };
  }
  return { userId, values };
}

/**
 * The value of an existing field in a profile; null if there is none, or if it is a choice that no longer
 * exists.
 */
function profileValue(profile: Profile | null, field: ProfileField): ProfileValue | null {
  const value = profile?.values[field.fieldId];
  if (value === undefined) return null;
  const isGone = field.fieldType === fieldTypes.SELECT.id && !offersChoice(field, value.value);
  return isGone ? null : value;
}

/** A profile's values, by the field's id. */
type ProfileObject = Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>;

/** Formats a profile for the API: its values by the ids of their fields. */
function profileObject(profile: Profile | null, fields: readonly ProfileField[]): ProfileObject {
  const values: Record<string, ProfileObject[string]> = {};
  for (const field of fields) {
    const said = profileValue(profile, field);
    if (said === null) continue;
    const { value, html } = said;
    values[field.fieldId] = html === null ? { value } : { value, rendered_value: html };
  }
  return values;
}

/** Everyone's profiles and their fields, as of one log position. */
export class Profiles {
  private readonly byUser = new Map<number, Profile>();

  constructor(
    public fields: ProfileFields = noProfileFields,
    profiles: readonly Profile[] = [],
  ) {
    profiles.forEach((profile) => this.byUser.set(profile.userId, profile));
  }

  /** Null before anything was filled in. */
  of(userId: number): Profile | null {
    return this.byUser.get(userId) ?? null;
  }

  all(): Iterable<Profile> {
    return this.byUser.values();
  }

  /** A person's profile, formatted for the API. */
  objectOf({ id }: Pick<User, 'id'>): ProfileObject {
    return profileObject(this.of(id), this.fields.fields);
  }

  /** Removes a person's profile. */
  forget(userId: number): void {
    if (this.byUser.has(userId)) this.byUser.set(userId, { userId, values: {} });
  }

  applyToFields(event: RecordedEvent<ProfileFieldEvent>): void {
    this.fields = profileFieldsFold.evolve(this.fields, event);
  }

  applyToProfile(event: Recorded<typeof ProfileDataChanged>): void {
    const { userId } = event.data;
    this.byUser.set(userId, evolveProfile(this.of(userId), event));
  }
}
