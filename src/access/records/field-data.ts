import { z } from 'zod';
import { fieldTypes } from '../../events/values/field-types.js';
import { budgets, type Budget } from '../../kernel/budgets.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';
import { isLongerThan } from '../../kernel/text.js';
import type { ProfileField } from './profile-fields.js';

/** Sites that clients know without further data. */
export const knownExternalAccounts = {
  twitter: {
    text: 'Twitter',
    url_pattern: 'https://twitter.com/%(username)s',
    name: 'Twitter username',
    hint: '',
  },
  github: {
    text: 'GitHub',
    url_pattern: 'https://github.com/%(username)s',
    name: 'GitHub username',
    hint: '',
  },
} as const;

type KnownExternalAccount = keyof typeof knownExternalAccounts;

/** Placeholder for the account's name in the URL of its page. */
const ACCOUNT_PLACE = '%(username)s';

const choicesSchema = z.record(
  z.string().min(1),
  z.strictObject({ text: z.string().trim().min(1), order: z.string().min(1) }),
);

/** The choices of a dropdown, by the key that a profile stores. */
type Choices = z.infer<typeof choicesSchema>;

const externalAccountSchema = z.union([
  z.strictObject({ subtype: z.enum(['twitter', 'github']) }),
  z.strictObject({ subtype: z.literal('custom'), url_pattern: z.string() }),
]);

/**
 * The stored form of a field's data: JSON text for dropdowns and external accounts, nothing for other types.
 *
 * @throws ApplicationError `invalidFieldData`
 */
export function fieldDataOf(type: number, sent: unknown): string {
  switch (type) {
    case fieldTypes.SELECT.id:
      return boundedJson(choicesOf(sent));
    case fieldTypes.EXTERNAL_ACCOUNT.id:
      return boundedJson(externalAccountOf(sent));
    default:
      return '';
  }
}

function boundedJson(data: object): string {
  const json = JSON.stringify(data);
  const { max } = budgets.profileFieldData;
  if (json.length > max) throw invalid(`it is too long as JSON (limit: ${max} characters)`);
  return json;
}

function choicesOf(sent: unknown): Choices {
  const result = choicesSchema.safeParse(sent);
  if (!result.success) throw invalid('each choice needs a text and an order');
  const texts = Object.values(result.data).map(({ text }) => text);
  if (texts.length === 0) throw invalid('Field must have at least one choice.');
  if (texts.length > budgets.profileFieldChoices.max)
    throw invalid(`Field must not have more than ${budgets.profileFieldChoices.max} choices.`);
  if (new Set(texts).size < texts.length) throw invalid('Field must not have duplicate choices.');
  for (const [key, { text, order }] of Object.entries(result.data)) {
    assertFits('the key of a choice', key, budgets.profileFieldChoiceText);
    assertFits('the text of a choice', text, budgets.profileFieldChoiceText);
    assertFits('the order of a choice', order, budgets.profileFieldChoiceOrder);
  }
  return result.data;
}

function assertFits(name: string, text: string, { max }: Budget): void {
  if (isLongerThan(text, max)) throw invalid(`${name} is too long (limit: ${max} characters)`);
}

function externalAccountOf(sent: unknown): z.infer<typeof externalAccountSchema> {
  const result = externalAccountSchema.safeParse(sent);
  if (!result.success) throw invalid('an external account has the subtype twitter, github or custom');
  if (result.data.subtype === 'custom') assertPattern(result.data.url_pattern);
  return result.data;
}

function assertPattern(pattern: string): void {
  assertFits('url_pattern', pattern, budgets.profileFieldPattern);
  const [before, after, ...more] = pattern.split(ACCOUNT_PLACE);
  if (before === undefined || after === undefined || more.length > 0) {
    throw invalid(`url_pattern must hold ${ACCOUNT_PLACE} once`);
  }
  const address = `${before}someone${after}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw invalid('url_pattern is not a URL');
}

/** The site of an external-account field that clients know without further data; null for any other field. */
export function knownAccountOf(type: number, fieldData: string): KnownExternalAccount | null {
  if (type !== fieldTypes.EXTERNAL_ACCOUNT.id) return null;
  const { subtype } = JSON.parse(fieldData) as z.infer<typeof externalAccountSchema>;
  return subtype in knownExternalAccounts ? (subtype as KnownExternalAccount) : null;
}

/** Parsed once for each field, however many profiles are shown. */
const offered = new WeakMap<ProfileField, Choices>();

/** Whether a dropdown has a choice with this key. */
export function offersChoice(field: ProfileField, key: string): boolean {
  let choices = offered.get(field);
  if (choices === undefined) offered.set(field, (choices = JSON.parse(field.fieldData) as Choices));
  return Object.hasOwn(choices, key);
}

function invalid(reason: string): ApplicationError {
  return failure('invalidFieldData', { reason });
}
