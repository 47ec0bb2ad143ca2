import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { fieldTypeSchema } from './values/field-types.js';

const id = z.number().int().positive();

const field = z.strictObject({
  fieldId: id,
  name: z.string(),
  hint: z.string(),
  fieldType: fieldTypeSchema,
  /**
   * JSON text of a dropdown's choices or of an external account's site, as it was sent; empty for other
   * types.
   */
  fieldData: z.string(),
  displayInSummary: z.boolean(),
  required: z.boolean(),
  editableByUser: z.boolean(),
  useForMatching: z.boolean(),
});
const exampleField: z.infer<typeof field> = {
  fieldId: 3,
  name: 'Lunch',
  hint: 'What to bring',
  fieldType: 3,
  fieldData: '{"a":{"text":"Soup","order":"1"}}',
  displayInSummary: true,
  required: false,
  editableByUser: true,
  useForMatching: false,
};

/** Stream `profile-fields`, like all events of this file but the last. Ids are numbered from 1. */
export const ProfileFieldCreated = defineEvent({
  type: 'ProfileFieldCreated',
  description: 'A profile field was added at the end of the list.',
  schema: field,
  example: exampleField,
});

export const ProfileFieldChanged = defineEvent({
  type: 'ProfileFieldChanged',
  description: 'A profile field was changed. Its type stays the same.',
  schema: field,
  example: { ...exampleField, hint: '' },
});

export const ProfileFieldsReordered = defineEvent({
  type: 'ProfileFieldsReordered',
  description: 'The order of the profile fields was changed.',
  schema: z.strictObject({ fieldIds: z.array(id) }),
  example: { fieldIds: [2, 3, 1] },
});

export const ProfileFieldDeleted = defineEvent({
  type: 'ProfileFieldDeleted',
  description: 'A profile field and its values were removed.',
  schema: z.strictObject({ fieldId: id }),
  example: { fieldId: 3 },
});

/** Stream `users`. */
export const ProfileDataChanged = defineEvent({
  type: 'ProfileDataChanged',
  description: 'Values in the profile of a person were set or cleared.',
  schema: z.strictObject({
    userId: id,
    values: z.array(
      z.strictObject({
        fieldId: id,
        fieldType: fieldTypeSchema,
        /** Null: cleared. A list of users is the JSON text of their ids. */
        value: z.string().nullable(),
      }),
    ),
  }),
  erasable: { fields: ['values'], owner: ({ userId }) => userId, placeholder: { values: [] } },
  example: { userId: 3, values: [{ fieldId: 1, fieldType: 1, value: 'Enchantress of Numbers' }] },
});

export const profileFieldEvents = [
  ProfileFieldCreated,
  ProfileFieldChanged,
  ProfileFieldsReordered,
  ProfileFieldDeleted,
] as const;
export type ProfileFieldEvent = EventOf<(typeof profileFieldEvents)[number]>;
