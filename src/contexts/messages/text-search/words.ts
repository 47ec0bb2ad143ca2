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
const maxWordLength = 64;

/** The words of a text in their order, without {@link stopWords}. */
export function* wordsIn(text: string): Generator<Word> {
  for (const one of allWordsIn(text)) if (!one.isStopWord) yield one;
}

interface AnyWord extends Word {
  readonly isStopWord: boolean;
}

function* allWordsIn(text: string): Generator<AnyWord> {
  const isAscii = onlyAscii.test(text);
  for (const { 0: found, index } of text.matchAll(isAscii ? asciiWord : word)) {
    const plain = (isAscii ? found.toLowerCase() : standardForm(found)).slice(0, maxWordLength);
    const isStopWord = stopWords.has(plain);
    const stem = isStopWord ? plain : stemOf(plain);
    if (stem !== '') yield { start: index, end: index + found.length, stem, isStopWord };
  }
}

/** The standard form of some characters has punctuation, such as that of a number in brackets. */
function standardForm(found: string): string {
  return found
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\0-\x2f\x3a-\x60\x7b-\x7f]/g, '');
}

/**
 * What an index of texts holds of one: what its words are compared by, and which of them stand side by side, for phrases. Words that
 * stand everywhere are there beside others alone.
 */
export function* termsIn(text: string): Generator<string> {
  let [previous, hash]: [AnyWord | null, number] = [null, 0];
  for (const one of allWordsIn(text)) {
    const next = hashOf(one.stem);
    if (!one.isStopWord) yield one.stem;
    if (previous !== null && !(previous.isStopWord && one.isStopWord)) yield pairTerm(hash, next);
    [previous, hash] = [one, next];
  }
}

/** Stands in no word. */
const pairMark = '·';

/** Words that stand side by side in a text, each as in {@link termsIn}: other words may have the same, as one in billions does. */
export function pairsIn(text: string): readonly string[] {
  return [...new Set(termsIn(text))].filter((term) => term.startsWith(pairMark));
}

function pairTerm(first: number, second: number): string {
  const mixed = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d) ^ second;
  return pairMark + ((mixed ^ (mixed >>> 13)) >>> 0).toString(36);
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** How many words a text has, those included that are too common to be looked for: quickly, since none is looked at. */
export function countWords(text: string): number {
  return text.match(word)?.length ?? 0;
}

/** What the words of a text are compared by, each once, in the order of characters. */
export function stemsIn(text: string): readonly string[] {
  return [...new Set(Array.from(wordsIn(text), ({ stem }) => stem))].sort();
}

/** English words lose their endings; others stay whole. */
function stemOf(plain: string): string {
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}
