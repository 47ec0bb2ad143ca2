import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import type { User } from './user.js';
import type { ProfileDataChanged, ProfileFieldEvent } from '../../events/profile-fields.js';
import { evolveProfile, type Profile } from './profile.js';
import { noProfileFields, profileFieldsFold, type ProfileFields } from './profile-fields.js';
import { profileObject, type ProfileObject } from './profile-object.js';

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
