import { parse } from 'node:querystring';

/** Maximum number of parameters in a body or a query. */
export const MAX_FIELDS = 1_000;

/** The texts of a form or a query by name; a name that was sent several times has a list. */
export type FormFields = Record<string, string | string[] | undefined>;

/** Parses url-encoded text; never fails. The result has no prototype. */
export function parseForm(text: string): FormFields {
  return parse(text, '&', '=', { maxKeys: MAX_FIELDS });
}

/** Whether url-encoded text has more fields than a request may have. */
export function hasTooManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}
