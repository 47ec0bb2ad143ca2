import { failure } from './errors.js';

/** Control characters, including line breaks, and code points that are no characters. */
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** The separators of lines and paragraphs (U+2028, U+2029), which few programs show as line breaks. */
const separators = /[\p{Zl}\p{Zp}]/u;

/** Whether a text has only printable characters, as topics and people's names must. */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** Whether a text is printable and fits on one line in every program, as most names must. */
export function isSingleLine(text: string): boolean {
  return isPrintable(text) && !separators.test(text);
}

/** The limits of a text: the name of its parameter, and the maximum number of Unicode code points. */
interface TextBounds {
  readonly name: string;
  readonly max: number;
  /** Whether the text is a name, which must fit on one line; absent: it is not. */
  readonly isName?: true;
}

/** Trims a text that must not be blank. */
export function requiredText(text: string, bounds: TextBounds): string {
  const trimmed = boundedText(text, bounds);
  if (trimmed === '') throw failure('textBlank', { reason: bounds.name });
  return trimmed;
}

/**
 * Trims a text that may be blank.
 *
 * @throws ApplicationError `textTooLong`; for names also `textNotOnOneLine`
 */
export function boundedText(text: string, { name, max, isName }: TextBounds): string {
  const trimmed = text.trim();
  if (isLongerThan(trimmed, max)) {
    throw failure('textTooLong', { reason: { name, limit: max } });
  }
  if (isName === true && !isSingleLine(trimmed)) {
    throw failure('textNotOnOneLine', { reason: name });
  }
  return trimmed;
}

/** Whether a text has more code points than that. The length in UTF-16 units decides for almost all texts. */
export function isLongerThan(text: string, codePoints: number): boolean {
  // A code point has one or two UTF-16 units.
  return text.length > 2 * codePoints || (text.length > codePoints && [...text].length > codePoints);
}

/**
 * Folds the case of a text for comparisons. It converts to upper case and back, which also folds letters without a
 * one-letter counterpart (`ß` and `ss`, the two lower-case sigmas).
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** The key by which names and addresses are compared: trimmed, compatibility forms unified (NFKC), case folded. */
export function nameKey(name: string): string {
  const trimmed = name.trim();
  // ASCII has no compatibility forms, and normalizing is the expensive part.
  if (onlyAscii.test(trimmed)) return trimmed.toLowerCase();
  return compatibilityForm(foldCase(compatibilityForm(trimmed)));
}

/**
 * The text with its compatibility forms unified (NFKC), in a time proportional to its length. Normalizing sorts each run of
 * combining marks, in a time that grows with the square of its length. Runs are therefore divided after 30 marks, as the
 * Stream-Safe Text Format does (Unicode Standard Annex 15, section 13); no language has runs that long.
 */
export function compatibilityForm(text: string): string {
  const divided = tooManyMarks.test(text)
    ? text.replace(marksBeforeMore, `$&${COMBINING_GRAPHEME_JOINER}`)
    : text;
  return divided.normalize('NFKC');
}

const tooManyMarks = /\p{M}{31}/u;
const marksBeforeMore = /\p{M}{30}(?=\p{M})/gu;
/** A mark that is never sorted, so that those before it and behind it stay apart. */
const COMBINING_GRAPHEME_JOINER = '\u034f';

const onlyAscii = /^[\0-\x7f]*$/;
