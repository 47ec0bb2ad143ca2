import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import {
  usableLinkifiers,
  type Linkifiers,
  type OrganizationLinkifier,
} from '../../../access/records/linkifiers.js';
import type { LinkifierObject } from '../linkifiers.replies.js';

/** The linkifiers that clients may use, in their order. */
export function linkifierObjects(linkifiers: Linkifiers): readonly LinkifierObject[] {
  return usableLinkifiers(linkifiers).map(linkifierObject);
}

/** Formats a linkifier for the API. */
function linkifierObject(linkifier: OrganizationLinkifier): LinkifierObject {
  return {
    id: linkifier.linkifierId,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  };
}

/** The organization's linkifiers, in their order (`GET /realm/linkifiers`). */
export class GetLinkifiers extends Query<readonly LinkifierObject[]> {}

@QueryHandler(GetLinkifiers)
export class GetLinkifiersHandler implements IQueryHandler<GetLinkifiers> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly LinkifierObject[]> {
    return Promise.resolve(linkifierObjects(this.follower.current().linkifiers));
  }
}
