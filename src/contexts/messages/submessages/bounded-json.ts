import { isLongerThan } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';

/** What a parameter with JSON has to keep to. */
export interface JsonBounds {
  /** The parameter's name. */
  readonly name: string;
  /** In code points. */
  readonly longest: number;
  /** The error of a text that is no JSON. */
  readonly otherwise: 'invalidSubmessage' | 'malformedWidget';
}

/**
 * Reads a parameter that is JSON.
 *
 * @throws ApplicationError when it is too long, or no JSON
 */
export function boundedJson(text: string, { name, longest, otherwise }: JsonBounds): unknown {
  if (isLongerThan(text, longest)) {
    throw failure('textTooLong', { reason: { name, limit: longest } });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failure(otherwise);
  }
}
