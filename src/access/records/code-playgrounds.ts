import { boundedText, requiredText } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { isUrlTemplate, templateVariables } from '../../markdown/url-template.js';
import type { CodePlaygroundAdded } from '../../events/organization.js';

/** A place where clients can open the code blocks of a language: see {@link CodePlaygroundAdded}. */
export type CodePlayground = EventOf<typeof CodePlaygroundAdded>['data'];

/** A code playground without its id. */
export type CodePlaygroundDefinition = Omit<CodePlayground, 'playgroundId'>;

/** The limits of the texts of a code playground. */
export const playgroundName = { name: 'name', max: 100, isName: true } as const;
export const playgroundLanguage = { name: 'pygments_language', max: 40, isName: true } as const;
export const playgroundTemplate = { name: 'url_template', max: 1000 } as const;

/** Any language that a code block may name, including unknown ones. */
const languageName = /^[ A-Za-z0-9_+\-./#]+$/;

/** Clients open the URL that the template makes of people's code, so only web pages are allowed. */
const webAddress = /^https?:\/\//i;

/**
 * The stored form of a code playground: its texts trimmed.
 *
 * @throws ApplicationError for a blank or too long text, and `invalidCodePlayground`, which says what is
 * wrong
 */
export function codePlaygroundOf(asked: CodePlaygroundDefinition): CodePlaygroundDefinition {
  const name = requiredText(asked.name, playgroundName);
  const language = requiredText(asked.language, playgroundLanguage);
  if (!languageName.test(language)) throw invalid('Invalid characters in pygments language');
  const urlTemplate = boundedText(asked.urlTemplate, playgroundTemplate);
  if (!webAddress.test(urlTemplate) || !isUrlTemplate(urlTemplate)) throw invalid('Invalid URL template.');
  const variables = templateVariables(urlTemplate);
  if (!variables.has('code')) throw invalid('Missing the required variable "code" in the URL template');
  if (variables.size > 1) throw invalid('"code" should be the only variable present in the URL template');
  return { name, language, urlTemplate };
}

function invalid(reason: string): Error {
  return failure('invalidCodePlayground', { reason, errors: { __all__: [reason] } });
}
