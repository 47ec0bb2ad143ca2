import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { ProfileField } from '../../../access/records/profile-fields.js';
import type { FieldObject } from '../profiles.replies.js';

/** The profile fields in their order, formatted for the API. */
export function fieldObjects(fields: readonly ProfileField[]): readonly FieldObject[] {
  return fields.map((field, place) => ({
    id: field.fieldId,
    name: field.name,
    type: field.fieldType,
    hint: field.hint,
    field_data: field.fieldData,
    order: place + 1,
    required: field.required,
    editable_by_user: field.editableByUser,
    ...(field.displayInSummary ? { display_in_profile_summary: true } : {}),
    ...(field.useForMatching ? { use_for_user_matching: true } : {}),
  }));
}

/** The profile fields, in their order (`GET /realm/profile_fields`). */
export class GetProfileFields extends Query<readonly FieldObject[]> {}

@QueryHandler(GetProfileFields)
export class GetProfileFieldsHandler implements IQueryHandler<GetProfileFields> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly FieldObject[]> {
    return Promise.resolve(fieldObjects(this.follower.current().profiles.fields.fields));
  }
}
