import { isLongerThan } from '../../../kernel/bounded-text.js';
import { failure } from '../../../kernel/errors.js';

/** What a parameter with JSON has to keep to. */
export interface JsonBounds {
  /** The parameter's name. */
  readonly name: string;
  /** In code points. */
  readonly longest: number;
  /** What is said of a text that is no JSON. */
  readonly otherwise: string;
}

/**
 * Reads a parameter that is JSON.
 *
 * @throws ApplicationError `badRequest` when it is too long, or no JSON
 */
export function boundedJson(text: string, { name, longest, otherwise }: JsonBounds): unknown {
  if (isLongerThan(text, longest)) {
    throw failure('badRequest', { reason: `${name} is too long (limit: ${longest} characters)` });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw failure('badRequest', { reason: otherwise });
  }
}
