import {
  usableLinkifiers,
  type Linkifiers,
  type OrganizationLinkifier,
} from '../../access/records/linkifiers.js';

/** A linkifier as the API has it (specification, "Linkifier"). */
export interface LinkifierObject {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

/** The linkifiers that clients may use, in their order. */
export function linkifierObjects(linkifiers: Linkifiers): readonly LinkifierObject[] {
  return usableLinkifiers(linkifiers).map(linkifierObject);
}

/** A linkifier in the words of the API. */
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
