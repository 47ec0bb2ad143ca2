import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';

/** Maximum number of parameters in a body or a query. */
export const MAX_FIELDS = 1_000;

/** The texts of a form or a query by name; a name that was sent several times has a list. */
export type FormFields = Record<string, string | string[] | undefined>;

/** Parses url-encoded text; never fails. The result has no prototype. */
export function parseForm(text: string): FormFields {
  const fields = parse(text, '&', '=', { maxKeys: MAX_FIELDS });
  if (text.length > MAX_SHARED) {
    for (const [name, sent] of Object.entries(fields)) fields[name] = detached(sent, text.length);
  }
  return fields;
}

/** Up to this many characters, what is kept of a request may keep all of it in memory. */
const MAX_SHARED = 1_024;

/**
 * V8 cuts a text out of another one by reference. A short text that is kept, such as a name in a cache, would therefore keep
 * the whole request in memory. Texts that are most of a request stay as they are.
 */
function detached<Sent extends string | string[] | undefined>(sent: Sent, length: number): Sent {
  if (typeof sent === 'object') return sent.map((text) => detached(text, length)) as Sent;
  // Of the ways to copy a text, this one keeps its representation: one byte for each character where that suffices.
  return sent === undefined || 2 * sent.length > length ? sent : (JSON.parse(JSON.stringify(sent)) as Sent);
}

/** Whether url-encoded text has more fields than a request may have. */
export function hasTooManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}

/** The form field by which a POST selects another method. */
export const METHOD_FIELD = 'method';

/**
 * The text of a parameter from the body, else from the query; the last one if there are several.
 *
 * @returns undefined when it was not sent
 */
export function parameterText(request: FastifyRequest, name: string): string | undefined {
  return lastOf(bodyOf(request)?.[name]) ?? lastOf((request.query as FormFields)[name]);
}

/** Names of the sent parameters that the endpoint does not support, in their order. */
export function ignoredParameters(request: FastifyRequest): readonly string[] {
  const { supportedParameters } = request.state;
  const ignored = new Set<string>();
  for (const fields of [bodyOf(request), request.query as FormFields]) {
    for (const name in fields) {
      if (name !== METHOD_FIELD && !supportedParameters?.has(name)) ignored.add(name);
    }
  }
  return [...ignored];
}

function bodyOf(request: FastifyRequest): FormFields | undefined {
  return request.body as FormFields | undefined;
}

function lastOf(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'object' ? sent.at(-1) : sent;
}
