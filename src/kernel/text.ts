import { failure } from './errors.js';

/** Characters that end a line, or that cannot be seen and change what stands around them: none of them belongs into a name. */
const notOfNames = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Whether a text can stand on one line, as names do. */
export function isSingleLine(text: string): boolean {
  return !notOfNames.test(text);
}

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

/**
 * A text without regard to case, for comparing: by way of upper case and back, because that also folds letters that have no
 * counterpart of their own (`ß` and `ss`, the two lower-case sigmas).
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** What names and addresses are compared by: trimmed, compatibility forms unified (NFKC), case folded. */
export function nameKey(name: string): string {
  const trimmed = name.trim();
  // Nothing of it has another form, and unifying is what takes long.
  if (ASCII.test(trimmed)) return trimmed.toLowerCase();
  return foldCase(trimmed.normalize('NFKC')).normalize('NFKC');
}

const ASCII = /^[\0-\x7f]*$/;
