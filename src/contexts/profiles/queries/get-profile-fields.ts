import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { fieldObjects } from '../views/field-object.js';
import type { FieldObject } from '../client-schemas.js';

/** The profile fields, in their order (`GET /realm/profile_fields`). */
export class GetProfileFields extends Query<readonly FieldObject[]> {}

@QueryHandler(GetProfileFields)
export class GetProfileFieldsHandler implements IQueryHandler<GetProfileFields> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly FieldObject[]> {
    return Promise.resolve(fieldObjects(this.follower.current().profiles.fields.fields));
  }
}
