import { failure } from '../../kernel/errors.js';
import { isSingleLine } from '../../kernel/text.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Characters that mentions, quotes or code would trip over. */
const forbidden = /[*`\\>"@]/;

/** The form in which a mention tells namesakes apart: `name|id`. */
const mentionForm = /\|\d+$/;

/**
 * A display name as it is kept: trimmed, 2 to 100 code points, no character that a mention trips over.
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
