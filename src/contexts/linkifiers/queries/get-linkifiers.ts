import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { linkifierObjects } from '../linkifier-object.js';
import type { LinkifierObject } from '../client-schemas.js';

/** The organization's linkifiers, in their order (`GET /realm/linkifiers`). */
export class GetLinkifiers extends Query<readonly LinkifierObject[]> {}

@QueryHandler(GetLinkifiers)
export class GetLinkifiersHandler implements IQueryHandler<GetLinkifiers> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly LinkifierObject[]> {
    return Promise.resolve(linkifierObjects(this.follower.current().linkifiers));
  }
}
