import { z } from 'zod';
import { type Described, fieldsLike, id, named } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { fieldTypes } from '../../events/values/field-types.js';

/** A profile field in the API. */
const fieldSchema = named(
  'ProfileField',
  z.strictObject({
    id,
    name: z.string(),
    type: z.int().min(1).max(8),
    hint: z.string(),
    field_data: z
      .string()
      .describe(
        'JSON text: the choices of a dropdown, or the site of an external account; empty for other types',
      ),
    order: z.int().describe('The place of the field in the profile, from 1'),
    required: z.boolean(),
    editable_by_user: z.boolean(),
    display_in_profile_summary: z.literal(true).optional().describe('True, or absent instead of false'),
    use_for_user_matching: z.literal(true).optional().describe('True, or absent instead of false'),
  }),
);

/** Type of {@link fieldSchema}. */
export type FieldObject = Described<typeof fieldSchema>;

/** Answered by `GET realm/profile_fields`. */
export const fieldsReply = { custom_fields: z.array(fieldSchema) };

/** Answered by `POST realm/profile_fields`. */
export const createdFieldReply = { id };

/** Schemas of the client events about profile fields: the complete list. */
export const profileFieldEventSchemas = [
  clientEvent('custom_profile_fields', null, { fields: z.array(fieldSchema) }),
];

/** Schemas of the initial state about profile fields. */
export const profileFieldStateFields = {
  custom_profile_fields: z.array(fieldSchema).optional(),
  custom_profile_field_types: z.strictObject(fieldsLike(fieldTypes)).optional(),
} as const;
