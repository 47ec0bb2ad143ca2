import { stemmer } from 'stemmer';
import { stopWords } from './stop-words.js';

/** A word of a text, where it stands, and what it is compared by. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly stem: string;
}

/** Scripts that put no blanks between words: each of their characters counts as one. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** The same for texts of ASCII alone, which are most, in a third of the time. */
const asciiWord = /[A-Za-z0-9]+/g;
const onlyAscii = /^[\0-\x7f]*$/;

/** The longest word that is told apart, in characters: nobody searches for what is longer. */
const longestWord = 64;

/** The words of a text in their order, without {@link stopWords}. */
export function* wordsIn(text: string): Generator<Word> {
  const isAscii = onlyAscii.test(text);
  for (const { 0: found, index } of text.matchAll(isAscii ? asciiWord : word)) {
    const whole = isAscii ? found : found.normalize('NFKC');
    const plain = whole.toLowerCase().slice(0, longestWord);
    if (!stopWords.has(plain)) yield { start: index, end: index + found.length, stem: stemOf(plain) };
  }
}

/** What the words of a text are compared by, each once, in the order of characters. */
export function stemsIn(text: string): readonly string[] {
  return [...new Set(Array.from(wordsIn(text), ({ stem }) => stem))].sort();
}

/** English words lose their endings; others stay whole. */
function stemOf(plain: string): string {
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}
