import { failure } from './errors.js';

/** What a text may be: named as its parameter is, and at most so many Unicode code points long. */
export interface TextBounds {
  readonly name: string;
  readonly most: number;
}

/**
 * A text trimmed, which must then say something.
 *
 * @throws ApplicationError `badRequest` when it is blank or too long
 */
export function requiredText(text: string, bounds: TextBounds): string {
  const trimmed = boundedText(text, bounds);
  if (trimmed === '') throw failure('badRequest', { reason: `${bounds.name} cannot be blank` });
  return trimmed;
}

/**
 * A text trimmed.
 *
 * @throws ApplicationError `badRequest` when it is too long
 */
export function boundedText(text: string, { name, most }: TextBounds): string {
  const trimmed = text.trim();
  if (isLongerThan(trimmed, most)) {
    throw failure('badRequest', { reason: `${name} is too long (limit: ${most} characters)` });
  }
  return trimmed;
}

/** Whether a text has more code points; most texts are told by their length alone. */
export function isLongerThan(text: string, codePoints: number): boolean {
  return text.length > codePoints && [...text].length > codePoints;
}
