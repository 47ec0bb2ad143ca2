import { foldCase } from '../../kernel/text.js';

/** An alert word, and the people who have it. */
export interface AlertWordOwners {
  /** Case folded. */
  readonly word: string;
  readonly userIds: readonly number[];
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Word characters that follow each other. As in {@link isWordCharacter}, those of two UTF-16 units are none. */
const token = /(?:(?![\u{10000}-\u{10FFFF}])[\p{L}\p{N}_])+/u;
const tokensInText = new RegExp(token, 'gu');

/** Number of parts in which alert words are stored, so that a message reads only a few of them. */
const PARTS = 256;

/** A text as alert words are searched in it. */
interface FoldedText {
  readonly text: string;
  readonly tokens: ReadonlySet<string>;
}

/** Ids of the people whose alert words a text contains, in rising order: whole words, ignoring case. */
export function alertedBy(text: string, listeners: readonly AlertWordOwners[]): number[] {
  return listeners.length === 0 ? [] : alertedAmong(foldedText(text), listeners);
}

/** As {@link alertedBy}, of the alert words in the parts that the text needs. */
export function alertedByParts(
  text: string,
  listenersIn: (part: number) => readonly AlertWordOwners[],
): number[] {
  const folded = foldedText(text);
  return alertedAmong(folded, partsOf(folded).flatMap(listenersIn));
}

function alertedAmong({ text, tokens }: FoldedText, listeners: readonly AlertWordOwners[]): number[] {
  const alerted = new Set<number>();
  for (const { word, userIds } of listeners) {
    // Only words whose first token the text has are searched in it: there may be far more words than tokens.
    if (tokens.has(firstTokenOf(word)) && holdsWord(text, word)) {
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
  return partsOf(foldedText(text));
}

function partsOf({ tokens }: FoldedText): readonly number[] {
  const parts = new Set([...tokens].map(partOf));
  return [...parts].sort((a, b) => a - b);
}

/** Every text has the empty token, which is the first one of words without letters and digits. */
function foldedText(unfolded: string): FoldedText {
  const text = foldCase(unfolded);
  return { text, tokens: new Set(['', ...(text.match(tokensInText) ?? [])]) };
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
