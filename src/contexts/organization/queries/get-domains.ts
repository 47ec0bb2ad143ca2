import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { domainObject } from '../views/organization-objects.js';
import type { DomainObject } from '../organization.replies.js';

/** Lists the domains that the organization may be restricted to. */
export class GetDomains extends Query<readonly DomainObject[]> {}

@QueryHandler(GetDomains)
export class GetDomainsHandler implements IQueryHandler<GetDomains> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly DomainObject[]> {
    return Promise.resolve((this.follower.current().organization?.domains ?? []).map(domainObject));
  }
}
