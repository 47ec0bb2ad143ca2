import { z } from 'zod';
import { type Described, id, named } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

/** A linkifier in the API. */
const linkifierSchema = named(
  'Linkifier',
  z.strictObject({
    id,
    pattern: z.string(),
    url_template: z.string().describe('URL template (RFC 6570)'),
    example_input: z.string().nullable(),
    reverse_template: z.string().nullable(),
    alternative_url_templates: z.array(z.string()),
  }),
);

/** Type of {@link linkifierSchema}. */
export type LinkifierObject = Described<typeof linkifierSchema>;

/** Answered by `GET realm/linkifiers`. */
export const linkifiersReply = { linkifiers: z.array(linkifierSchema) };

/** Answered by `POST realm/filters`. */
export const addedLinkifierReply = { id };

/** Schemas of the client events about linkifiers: the complete list. */
export const linkifierEventSchemas = [
  clientEvent('realm_linkifiers', null, { realm_linkifiers: z.array(linkifierSchema) }),
];

/** Schemas of the initial state about linkifiers. */
export const linkifierStateFields = {
  realm_linkifiers: z.array(linkifierSchema).optional(),
  realm_filters: z.array(z.never()).optional(),
} as const;
