import { failure } from './errors.js';
import { isSingleLine } from './single-line.js';

/** What a text may be: named as its parameter is, and at most so many Unicode code points long. */
export interface TextBounds {
  readonly name: string;
  readonly most: number;
  /** Whether it is a name, which stands on one line; absent: no. */
  readonly isName?: true;
}

/**
 * A text trimmed, which must then say something.
 *
 * @throws ApplicationError `textBlank`, `textTooLong`
 */
export function requiredText(text: string, bounds: TextBounds): string {
  const trimmed = boundedText(text, bounds);
  if (trimmed === '') throw failure('textBlank', { reason: bounds.name });
  return trimmed;
}

/**
 * A text trimmed.
 *
 * @throws ApplicationError `textTooLong`; `textNotOnOneLine` of a name
 */
export function boundedText(text: string, { name, most, isName }: TextBounds): string {
  const trimmed = text.trim();
  if (isLongerThan(trimmed, most)) {
    throw failure('textTooLong', { reason: { name, limit: most } });
  }
  if (isName === true && !isSingleLine(trimmed)) {
    throw failure('textNotOnOneLine', { reason: name });
  }
  return trimmed;
}

/** Whether a text has more code points; most texts are told by their length alone, and all that are far too long. */
export function isLongerThan(text: string, codePoints: number): boolean {
  // A code point takes one or two UTF-16 units.
  return text.length > 2 * codePoints || (text.length > codePoints && [...text].length > codePoints);
}
