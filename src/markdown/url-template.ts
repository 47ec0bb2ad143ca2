import { parseTemplate } from 'url-template';

const VARIABLE = '(?:\\w|%[0-9A-Fa-f]{2})(?:[\\w.]|%[0-9A-Fa-f]{2})*(?::[1-9]\\d{0,3}|\\*)?';
const EXPRESSION = `\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\}`;
const template = new RegExp(`^(?:[^{}\\s<>"^\`\\\\|]|${EXPRESSION})*$`, 'u');

/** Whether a text is a URL template (RFC 6570). */
export function isUrlTemplate(text: string): boolean {
  return template.test(text);
}

/** The distinct names of a template's variables. */
export function templateVariables(urlTemplate: string): ReadonlySet<string> {
  const expressions = [...urlTemplate.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  const variables = expressions.flatMap(([, list = '']) => list.split(','));
  return new Set(variables.map((one) => one.replace(/[:*].*$/, '')));
}

/** Expands a URL template with the values of its variables; null when the result would split a surrogate pair. */
export function expandUrlTemplate(
  urlTemplate: string,
  variables: Readonly<Record<string, string>>,
): string | null {
  try {
    return parseTemplate(urlTemplate).expand({ ...variables });
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
