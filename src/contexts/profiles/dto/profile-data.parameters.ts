import { z } from 'zod';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import type { ProfileEntry } from '../profile-data.decide.js';

/** What a profile is to say, as `profile_data` of a request has it (specification, PATCH /users/{user_id}). */
export const profileDataSchema = z
  .array(
    z.object({
      id: z.number().int(),
      value: z.union([z.string(), z.array(z.number().int())]).nullable(),
    }),
  )
  .max(200);

export type SentProfileData = z.infer<typeof profileDataSchema>;

/** What a request wants of a profile. */
export function profileEntries(data: SentProfileData): ProfileEntry[] {
  return data.map(({ id: fieldId, value }) => ({ fieldId, value }));
}

/** Parameters of PATCH /users/me/profile_data. */
export class ChangeProfileDataParameters {
  @JsonParameter({
    required: true,
    schema: profileDataSchema,
    example: [{ id: 1, value: 'a' }],
    description:
      'Fields by their ids, and what each is to say: `[{"id": 1, "value": "Ada"}]`; null clears one.',
  })
  data!: SentProfileData;
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
