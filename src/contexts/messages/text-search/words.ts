import { stemmer } from 'stemmer';
import { fnv1a } from '../../../kernel/fnv1a.js';

/** Words that occur in almost every English text: neither indexed nor searched for. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its ' +
    'itself they them their theirs themselves what which who whom this that these those am is are was were be been being ' +
    'have has had having do does did doing a an the and but if or because as until while of at by for with about against ' +
    'between into through during before after above below to from up down in out on off over under again further then once ' +
    'here there when where why how all any both each few more most other some such no nor not only own same so than too ' +
    'very s t can will just don should now'
  ).split(' '),
);

/** A word of a text: its position, and the form that it is compared by. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly stem: string;
}

/** Scripts that put no spaces between words: each of their characters counts as one word. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const word = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** The same for pure ASCII texts, which are the most frequent, in a third of the time. */
const asciiWord = /[A-Za-z0-9]+/g;
const onlyAscii = /^[\0-\x7f]*$/;

/** Words are compared by at most this many characters. */
const MAX_WORD_LENGTH = 64;

/** Maximum number of characters of a word that are normalized: {@link MAX_WORD_LENGTH} characters may come from many more. */
const MAX_NORMALIZED_LENGTH = 1000;

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
    const plain = (isAscii ? found.toLowerCase() : standardForm(found)).slice(0, MAX_WORD_LENGTH);
    const isStopWord = stopWords.has(plain);
    const stem = isStopWord ? plain : stemOf(plain);
    if (stem !== '') yield { start: index, end: index + found.length, stem, isStopWord };
  }
}

/**
 * The normalized form of some characters contains punctuation, such as that of a number in brackets. The time for
 * normalizing grows with the square of the number of combining marks, so the rest of an endless word is left out.
 */
function standardForm(found: string): string {
  return found
    .slice(0, MAX_NORMALIZED_LENGTH)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\0-\x2f\x3a-\x60\x7b-\x7f]/g, '');
}

/**
 * The terms of a text in the index: the compared forms of its words, and its pairs of adjacent words, for
 * phrases. Stop words occur only in pairs.
 */
export function* termsIn(text: string): Generator<string> {
  let [previous, hash]: [AnyWord | null, number] = [null, 0];
  for (const one of allWordsIn(text)) {
    const next = fnv1a(one.stem);
    if (!one.isStopWord) yield one.stem;
    if (previous !== null && !(previous.isStopWord && one.isStopWord)) yield pairTerm(hash, next);
    [previous, hash] = [one, next];
  }
}

/** The first character of a term for a pair. It is part of no word, so the terms of words and of pairs differ. */
const PAIR_MARK = '·';

/**
 * The hashes of a text's pairs of adjacent words, as in {@link termsIn}. Two pairs may share a hash, with a
 * probability of one in billions.
 */
export function pairsIn(text: string): readonly string[] {
  return [...new Set(termsIn(text))].filter((term) => term.startsWith(PAIR_MARK));
}

function pairTerm(first: number, second: number): string {
  const mixed = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d) ^ second;
  return PAIR_MARK + ((mixed ^ (mixed >>> 13)) >>> 0).toString(36);
}

/** How many words a text has, including stop words. Fast, because words are only counted. */
export function countWords(text: string): number {
  return text.match(word)?.length ?? 0;
}

/** The compared forms of a text's words, each once, sorted by code units. */
export function stemsIn(text: string): readonly string[] {
  return [...new Set(Array.from(wordsIn(text), ({ stem }) => stem))].sort();
}

/** Removes the endings of English words; other words stay as they are. */
function stemOf(plain: string): string {
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}
