import { z } from 'zod';
import {
  JsonParameter,
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import type { ProfileEntry } from './profile-data.decide.js';
import { fieldName, fieldHint, type FieldChange, type NewField } from './profile-fields.decide.js';
import { budgets } from '../../kernel/budgets.js';

/** The new values of a profile's fields, as `profile_data` of a request has them. */
export const profileDataSchema = z
  .array(
    z.object({
      id: z.number().int(),
      value: z.union([z.string(), z.array(z.number().int()).max(budgets.listOfRequest.max)]).nullable(),
    }),
  )
  .max(200);

export type ProfileDataInput = z.infer<typeof profileDataSchema>;

/** The entries of a request's `profile_data`. */
export function profileEntries(data: ProfileDataInput): ProfileEntry[] {
  return data.map(({ id: fieldId, value }) => ({ fieldId, value }));
}

/** Parameters of PATCH /users/me/profile_data. */
export class ChangeProfileDataParameters {
  @JsonParameter({
    required: true,
    schema: profileDataSchema,
    example: [{ id: 1, value: 'a' }],
    description:
      'The values to set, with the ids of their fields: `[{"id": 1, "value": "Ada"}]`; null clears a field.',
  })
  data!: ProfileDataInput;
}

/** Parameters of DELETE /users/me/profile_data. */
export class ClearProfileDataParameters {
  @JsonParameter({
    required: true,
    schema: z.array(z.number().int()).max(200),
    example: [1],
    description: 'Ids of the fields to clear.',
  })
  data!: number[];
}

const fieldData = z.record(z.string(), z.unknown());

/** Parameters of PATCH /realm/profile_fields/{field_id}. */
export class ChangeProfileFieldParameters {
  @TextParameter({
    maxLength: fieldName.max,
    example: 'Favourite engine',
    description: 'The name of the field: at most 40 code points, different from all other fields.',
  })
  name?: string;

  @TextParameter({
    maxLength: fieldHint.max,
    example: 'The one you would weave with',
    description: 'An explanation of the field: at most 80 code points.',
  })
  hint?: string;

  @JsonParameter({
    maxProperties: budgets.profileFieldChoices.max,
    example: { a: { text: 'Analytical', order: '1' }, d: { text: 'Difference', order: '2' } },
    schema: fieldData,
    description:
      'For a dropdown, its choices: `{"key": {"text": "Soup", "order": "1"}}`. For an external account: `{"subtype": "github"}` or `{"subtype": "custom", "url_pattern": "https://example.com/%(username)s"}`.',
  })
  field_data?: z.infer<typeof fieldData>;

  @BooleanParameter({
    example: true,
    description:
      'Whether summaries of profiles show the field: at most two fields, and none of the type users.',
  })
  display_in_profile_summary?: boolean;

  @BooleanParameter({ example: false, description: 'Whether people are asked to fill in the field.' })
  required?: boolean;

  @BooleanParameter({
    example: true,
    description: 'Whether people may edit the field of their own profile. Administrators always may.',
  })
  editable_by_user?: boolean;

  @BooleanParameter({
    example: false,
    description:
      'Whether a search for people also looks in this field. Only for short texts and external accounts.',
  })
  use_for_user_matching?: boolean;
}

/** Parameters of POST /realm/profile_fields. */
export class CreateProfileFieldParameters extends ChangeProfileFieldParameters {
  @IntegerParameter({
    example: 3,
    required: true,
    description:
      'The type of the field: 1 short text, 2 paragraph, 3 dropdown, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.',
  })
  field_type!: number;
}

/** Parameters of PATCH /realm/profile_fields. */
export class ReorderProfileFieldsParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int()).max(budgets.listOfRequest.max),
    description: 'The ids of all fields, in their new order.',
  })
  order!: number[];
}

/** The changes that a request makes to a field. */
export function fieldChange(parameters: ChangeProfileFieldParameters): FieldChange {
  return {
    name: parameters.name,
    hint: parameters.hint,
    fieldData: parameters.field_data,
    displayInSummary: parameters.display_in_profile_summary,
    required: parameters.required,
    editableByUser: parameters.editable_by_user,
    useForMatching: parameters.use_for_user_matching,
  };
}

/** The new field of a request. */
export function newField(parameters: CreateProfileFieldParameters): NewField {
  return {
    fieldType: parameters.field_type,
    name: parameters.name ?? '',
    hint: parameters.hint ?? '',
    fieldData: parameters.field_data ?? {},
    displayInSummary: parameters.display_in_profile_summary ?? false,
    required: parameters.required ?? false,
    editableByUser: parameters.editable_by_user ?? true,
    useForMatching: parameters.use_for_user_matching ?? false,
  };
}
