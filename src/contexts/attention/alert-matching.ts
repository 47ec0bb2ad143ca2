import { foldCase } from '../../kernel/text.js';

/** An alert word, and the people who have it. */
export interface WordListeners {
  /** Case folded. */
  readonly word: string;
  readonly userIds: readonly number[];
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Ids of the people whose alert words a text contains, in rising order: whole words, ignoring case. */
export function alertedBy(text: string, listeners: readonly WordListeners[]): number[] {
  if (listeners.length === 0) return [];
  const folded = foldCase(text);
  const alerted = new Set<number>();
  for (const { word, userIds } of listeners) {
    if (holdsWord(folded, word)) userIds.forEach((userId) => alerted.add(userId));
  }
  return [...alerted].sort((a, b) => a - b);
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
