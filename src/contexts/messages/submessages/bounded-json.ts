import { isLongerThan } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';

/** The limits on a parameter that contains JSON. */
export interface JsonBounds {
  /** The parameter's name. */
  readonly name: string;
  /** Maximum length in code points. */
  readonly maxLength: number;
  /** The error for a text that is not JSON. */
  readonly otherwise: 'invalidSubmessage' | 'malformedWidget';
}

/**
 * Parses a parameter that contains JSON.
 *
 * @throws ApplicationError when it is too long, or not JSON
 */
export function boundedJson(text: string, { name, maxLength, otherwise }: JsonBounds): unknown {
  if (isLongerThan(text, maxLength)) {
    throw failure('textTooLong', { reason: { name, limit: maxLength } });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failure(otherwise);
  }
}
