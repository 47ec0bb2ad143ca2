import { failure } from '../../kernel/errors.js';
import { isSingleLine } from '../../kernel/text.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Characters that break mentions, quotes or code. */
const forbidden = /[*`\\>"@]/;

/** The form `name|id`, by which mentions distinguish people with the same name. */
const mentionForm = /\|\d+$/;

/**
 * The stored form of a display name: trimmed, 2 to 100 code points, without characters that break mentions.
 *
 * @throws ApplicationError `nameTooShort`, `nameTooLong`, `nameInvalid`
 */
export function fullNameOf(sent: string): string {
  const name = sent.trim();
  const { length } = [...name];
  if (length > limits.fullName) throw failure('nameTooLong');
  if (length < limits.fullNameMinimum) throw failure('nameTooShort');
  if (!isSingleLine(name) || forbidden.test(name) || mentionForm.test(name)) throw failure('nameInvalid');
  return name;
}
