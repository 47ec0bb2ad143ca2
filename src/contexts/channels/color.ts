import { failure } from '../../kernel/errors.js';

const color = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/**
 * The stored form of a colour: lower case, six digits, with a number sign, as clients require.
 *
 * @param sent `#rgb` or `#rrggbb`, in any case
 * @throws ApplicationError `invalidColor`
 */
export function colorOf(sent: unknown): string {
  const normalized = typeof sent === 'string' ? sent.trim().toLowerCase() : '';
  if (!color.test(normalized)) throw failure('invalidColor');
  if (normalized.length === 7) return normalized;
  return `#${[...normalized.slice(1)].map((digit) => digit + digit).join('')}`;
}
