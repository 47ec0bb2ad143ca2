import type { Fold } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/stream.js';
import type { ProfileFieldCreated, ProfileFieldEvent } from '../../events/profile-fields.js';

/** The stream that holds which fields the profiles have. */
export const profileFieldsStream = 'profile-fields';

/** A field of the profiles: see {@link ProfileFieldCreated}. */
export type ProfileField = EventOf<typeof ProfileFieldCreated>['data'];

/** The fields of the profiles, in their order. */
export type ProfileFields = {
  readonly fields: readonly ProfileField[];
  /** How many there ever were: the id of the last. */
  readonly created: number;
};

/** Of an organization that never added one. */
export const noProfileFields: ProfileFields = { fields: [], created: 0 };

/** How the fields of the profiles follow from their stream. */
export const profileFieldsFold: Fold<ProfileFields, RecordedEvent<ProfileFieldEvent>> = {
  snapshot: { name: 'profile-fields', version: 1 },
  initial: noProfileFields,
  evolve({ fields, created }, event) {
    switch (event.type) {
      case 'ProfileFieldCreated':
        return { fields: [...fields, event.data], created: event.data.fieldId };
      case 'ProfileFieldChanged': {
        const changed = event.data;
        return { fields: fields.map((one) => (one.fieldId === changed.fieldId ? changed : one)), created };
      }
      case 'ProfileFieldsReordered': {
        const { fieldIds } = event.data;
        const place = (one: ProfileField): number => fieldIds.indexOf(one.fieldId);
        return { fields: [...fields].sort((a, b) => place(a) - place(b)), created };
      }
      case 'ProfileFieldDeleted': {
        const { fieldId } = event.data;
        return { fields: fields.filter((one) => one.fieldId !== fieldId), created };
      }
      default:
        return unreachable(event);
    }
  },
};

/** The stream of the profile fields, for decisions about them. */
export const foldedProfileFields = stream(profileFieldsStream, profileFieldsFold);

/** @throws ApplicationError when there is no such field */
export function profileField({ fields }: ProfileFields, fieldId: number): ProfileField {
  const field = fields.find((one) => one.fieldId === fieldId);
  if (field === undefined) throw failure('noSuchProfileField', { reason: String(fieldId) });
  return field;
}
