import { failure } from '../../kernel/errors.js';
import { limits } from '../../events/values/organization-defaults.js';

/**
 * Refuses passwords that are too short to be secure, or too long: 6 to 100 code points.
 *
 * @throws ApplicationError `passwordTooShort`, `passwordTooLong`
 */
export function assertAcceptablePassword(password: string): void {
  const { length } = [...password];
  if (length < limits.passwordMinimum) throw failure('passwordTooShort');
  if (length > limits.passwordMaximum) throw failure('passwordTooLong');
}
