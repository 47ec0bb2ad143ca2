import type { Snapshot } from '../../access/snapshot.js';
import { profileField, type ProfileField } from '../../access/records/profile-fields.js';
import { isAdministrator } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import type { ProfileDataChanged } from '../../events/profile-fields.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { keptValue, type ProfileValueInput } from './profile-values.js';

/** The new value of one field of a profile. */
export interface ProfileEntry {
  readonly fieldId: number;
  readonly value: ProfileValueInput;
}

/** The person whose profile changes, and the actor. */
interface ProfileChange {
  readonly userId: number;
  readonly actor: User;
  readonly entries: readonly ProfileEntry[];
}

/**
 * The changes of a person's profile, all or nothing. Unchanged values make no events; of several entries for
 * one field the last counts. Only administrators change fields that people may not edit.
 *
 * @throws ApplicationError `noSuchProfileField`, `profileFieldNotEditable`, or for an invalid value
 */
export function decideProfileData(
  snapshot: Snapshot,
  { userId, actor, entries }: ProfileChange,
): readonly EventOf<typeof ProfileDataChanged>[] {
  const { directory } = snapshot;
  const present = directory.profiles.of(userId)?.values;
  const changes = new Map<number, EventOf<typeof ProfileDataChanged>['data']['values'][number]>();
  for (const { fieldId, value: sent } of entries) {
    const field = profileField(directory.profiles.fields, fieldId);
    assertEditable(field, actor);
    const value = keptValue(snapshot, field, sent);
    changes.delete(fieldId);
    if (value === (present?.[fieldId]?.value ?? null)) continue;
    changes.set(fieldId, { fieldId, fieldType: field.fieldType, value });
  }
  if (changes.size === 0) return [];
  return [{ type: 'ProfileDataChanged', data: { userId, values: [...changes.values()] } }];
}

function assertEditable(field: ProfileField, actor: User): void {
  if (!field.editableByUser && !isAdministrator(actor)) throw failure('profileFieldNotEditable');
}
