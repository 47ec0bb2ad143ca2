import type { Fold } from '../../kernel/fold.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/decision.js';
import type { ProfileFieldCreated, ProfileFieldEvent } from '../../events/profile-fields.js';

/** The stream with the fields that profiles have. */
export const PROFILE_FIELDS_STREAM = 'profile-fields';

/** A field of profiles: see {@link ProfileFieldCreated}. */
export type ProfileField = EventOf<typeof ProfileFieldCreated>['data'];

/** The fields of profiles, in their order. */
export type ProfileFields = {
  readonly fields: readonly ProfileField[];
  /** How many were ever created: the id of the last. */
  readonly created: number;
};

/** The initial state, without fields. */
export const noProfileFields: ProfileFields = { fields: [], created: 0 };

/** Folds the stream of the profile fields. */
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
export const foldedProfileFields = stream(PROFILE_FIELDS_STREAM, profileFieldsFold);

/** @throws ApplicationError when the field does not exist */
export function profileField({ fields }: ProfileFields, fieldId: number): ProfileField {
  const field = fields.find((one) => one.fieldId === fieldId);
  if (field === undefined) throw failure('noSuchProfileField', { reason: String(fieldId) });
  return field;
}
