import {
  usableLinkifiers,
  type Linkifiers,
  type OrganizationLinkifier,
} from '../../access/records/linkifiers.js';
import type { LinkifierObject } from './client-schemas.js';

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
