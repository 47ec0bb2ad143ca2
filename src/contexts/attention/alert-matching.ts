import { foldCase } from '../../kernel/text.js';

/** An alert word, and the people who have it. */
export interface WordListeners {
  /** Case folded. */
  readonly word: string;
  readonly userIds: readonly number[];
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Word characters that follow each other. As in {@link isWordCharacter}, those of two UTF-16 units are none. */
const token = /(?:(?![\u{10000}-\u{10FFFF}])[\p{L}\p{N}_])+/u;
const tokens = new RegExp(token, 'gu');

/** Alert words are stored in so many parts, so that a message reads only a few of them. */
const PARTS = 256;

/** Ids of the people whose alert words a text contains, in rising order: whole words, ignoring case. */
export function alertedBy(text: string, listeners: readonly WordListeners[]): number[] {
  if (listeners.length === 0) return [];
  const folded = foldCase(text);
  const present = tokensOf(folded);
  const alerted = new Set<number>();
  for (const { word, userIds } of listeners) {
    // Only words whose first token the text has are searched in it: there may be far more words than tokens.
    if (present.has(firstTokenOf(word)) && holdsWord(folded, word)) {
      userIds.forEach((userId) => alerted.add(userId));
    }
  }
  return [...alerted].sort((a, b) => a - b);
}

/** The part in which an alert word is stored. */
export function partOfAlertWord(word: string): number {
  return partOf(firstTokenOf(word));
}

/** The parts in which all alert words are stored that a text may contain, in rising order. */
export function partsOfText(text: string): readonly number[] {
  const parts = new Set([...tokensOf(foldCase(text))].map(partOf));
  return [...parts].sort((a, b) => a - b);
}

/** Every text has the empty token, which is the first one of words without letters and digits. */
function tokensOf(folded: string): ReadonlySet<string> {
  return new Set(['', ...(folded.match(tokens) ?? [])]);
}

/** @param word case folded */
function firstTokenOf(word: string): string {
  return token.exec(word)?.[0] ?? '';
}

/** A hash (FNV-1a). Stored documents depend on it. */
function partOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % PARTS;
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text.charAt(at - 1)) && !isWordCharacter(text.charAt(at + word.length))) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return character !== '' && wordCharacter.test(character);
}
