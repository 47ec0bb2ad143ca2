import { RE2JS } from 're2js';
import type { Linkifiers, OrganizationLinkifier } from '../../access/records/linkifiers.js';
import { failure } from '../../kernel/errors.js';
import { isSafeTemplate } from '../../markdown/url.js';
import { isUrlTemplate, templateVariables } from '../../markdown/url-template.js';

const token = /\{\{|\}\}|\{(\w+)\}|[^{}]+/gy;

/** The variables of a reverse template; null if it is invalid. */
function reverseTemplateVariables(template: string): readonly string[] | null {
  const tokens = [...template.matchAll(token)];
  const length = tokens.reduce((sum, [text]) => sum + text.length, 0);
  return length === template.length ? tokens.flatMap(([, variable]) => variable ?? []) : null;
}

/** Replaces the variables of a reverse template by texts, and doubled braces by single ones. */
function expandReverseTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(token, (text: string, variable: string | undefined) => {
    if (variable !== undefined) return variables[variable] ?? '';
    return text === '{{' || text === '}}' ? text.charAt(0) : text;
  });
}

/** A linkifier without its id. */
export type LinkifierDefinition = Omit<OrganizationLinkifier, 'linkifierId'>;

/** Maximum length of a pattern, a template and an example: each message is searched for each pattern. */
export const MAX_LINKIFIER_LENGTH = 1_000;

/**
 * Checks a linkifier.
 *
 * @throws ApplicationError `invalidLinkifier`, which says what is wrong
 */
export function assertLinkifierDefinition(definition: LinkifierDefinition): void {
  const { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates } = definition;
  for (const text of [pattern, urlTemplate, exampleInput, reverseTemplate, ...alternativeUrlTemplates]) {
    if (text !== null && text.length > MAX_LINKIFIER_LENGTH)
      throw invalid('A linkifier may have 1000 characters.');
  }
  const expression = compiled(pattern);
  const groups = new Set(Object.keys(expression.namedGroups()));
  assertTemplate(urlTemplate, groups);
  for (const alternative of alternativeUrlTemplates) assertTemplate(alternative, groups);
  const example = exampleInput === null ? null : matched(expression, exampleInput);
  if (reverseTemplate !== null) assertReversible(reverseTemplate, { exampleInput, example, groups });
}

/** @throws ApplicationError `invalidLinkifier` if another linkifier has the same pattern */
export function assertPatternFree({ linkifiers }: Linkifiers, pattern: string, except: number | null): void {
  if (linkifiers.some((one) => one.pattern === pattern && one.linkifierId !== except)) {
    throw invalid('A linkifier with this pattern already exists.');
  }
}

function compiled(pattern: string): RE2JS {
  if (pattern === '') throw invalid('A linkifier needs a pattern.');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw invalid(`Bad regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function assertTemplate(urlTemplate: string, groups: ReadonlySet<string>): void {
  if (urlTemplate === '' || !isUrlTemplate(urlTemplate)) throw invalid('Invalid URL template.');
  if (!isSafeTemplate(urlTemplate))
    throw invalid('Invalid URL template: it must begin with https:// or the like.');
  const variables = templateVariables(urlTemplate);
  for (const variable of variables) {
    if (!groups.has(variable)) {
      throw invalid(`Group '${variable}' in URL template is not present in linkifier pattern.`);
    }
  }
  for (const group of groups) {
    if (!variables.has(group)) {
      throw invalid(`Group '${group}' in linkifier pattern is not present in URL template.`);
    }
  }
}

/** The named groups of the first match of an expression in a text; as in a message, there may be text around it. */
function matched(expression: RE2JS, text: string): Readonly<Record<string, string>> {
  const matcher = expression.matcher(text);
  if (!matcher.find()) throw invalid('The example input does not match the pattern.');
  const names = Object.keys(expression.namedGroups());
  return Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']));
}

interface Example {
  readonly exampleInput: string | null;
  /** The named groups of the pattern in the example. */
  readonly example: Readonly<Record<string, string>> | null;
  readonly groups: ReadonlySet<string>;
}

function assertReversible(reverseTemplate: string, { exampleInput, example, groups }: Example): void {
  const variables = reverseTemplateVariables(reverseTemplate);
  if (variables === null) throw invalid('Invalid reverse template.');
  for (const variable of variables) {
    if (!groups.has(variable)) {
      throw invalid(`Group '${variable}' in reverse template is not present in linkifier pattern.`);
    }
  }
  if (example === null) throw invalid('A reverse template needs an example input.');
  if (expandReverseTemplate(reverseTemplate, example) !== exampleInput) {
    throw invalid('The reverse template does not give the example input back.');
  }
}

function invalid(reason: string): Error {
  return failure('invalidLinkifier', { reason, errors: { __all__: [reason] } });
}
