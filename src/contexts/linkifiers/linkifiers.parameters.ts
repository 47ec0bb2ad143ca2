import { z } from 'zod';
import { JsonParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { MAX_LINKIFIER_LENGTH, type LinkifierDefinition } from './linkifier-definition.js';
import type { LinkifierChange } from './linkifiers.decide.js';
import { budgets } from '../../kernel/budgets.js';

/** Parameters of POST /realm/filters and of PATCH /realm/filters/{filter_id}. */
export class LinkifierParameters {
  @TextParameter({
    maxLength: MAX_LINKIFIER_LENGTH,
    countsUtf16: true,
    example: '#(?P<id>[0-9]+)',
    required: true,
    description: 'An RE2 expression with named groups: `#(?P<id>[0-9]+)`.',
  })
  pattern!: string;

  @TextParameter({
    maxLength: MAX_LINKIFIER_LENGTH,
    countsUtf16: true,
    example: 'https://example.com/issues/{id}',
    required: true,
    description:
      'An RFC 6570 template that uses every group of the pattern: `https://example.com/issues/{id}`.',
  })
  url_template!: string;

  @TextParameter({
    maxLength: MAX_LINKIFIER_LENGTH,
    countsUtf16: true,
    description: 'A text that the pattern matches; empty: no example.',
  })
  example_input?: string;

  @TextParameter({
    maxLength: MAX_LINKIFIER_LENGTH,
    countsUtf16: true,
    description: 'A template that makes the example input from its groups: `#{id}`; empty: no template.',
  })
  reverse_template?: string;

  @JsonParameter({
    schema: z.array(z.string()).max(20),
    description: 'Other URL templates of such links, for clients that convert links back to texts.',
  })
  alternative_url_templates?: string[];
}

/** Parameters of PATCH /realm/linkifiers. */
export class ReorderLinkifiersParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int()).max(budgets.listOfRequest.max),
    description: 'The ids of all linkifiers, in their new order.',
  })
  ordered_linkifier_ids!: number[];
}

/** The changes that a request makes to a linkifier. */
export function linkifierChange(parameters: LinkifierParameters): LinkifierChange {
  return {
    pattern: parameters.pattern.trim(),
    urlTemplate: parameters.url_template.trim(),
    exampleInput: optionalText(parameters.example_input),
    reverseTemplate: optionalText(parameters.reverse_template),
    alternativeUrlTemplates: parameters.alternative_url_templates,
  };
}

/** The new linkifier of a request. */
export function linkifierDefinition(parameters: LinkifierParameters): LinkifierDefinition {
  const change = linkifierChange(parameters);
  return {
    ...change,
    exampleInput: change.exampleInput ?? null,
    reverseTemplate: change.reverseTemplate ?? null,
    alternativeUrlTemplates: change.alternativeUrlTemplates ?? [],
  };
}

/** Clients send JSON null, nothing or blanks for an absent text. */
function optionalText(sent: string | undefined): string | null | undefined {
  const text = sent?.trim();
  return text === '' || text === 'null' ? null : text;
}
