import { pairsIn, stemsIn } from './words.js';

/**
 * A text that must occur literally, in any case; its first and last words must be whole words except for
 * their endings.
 */
interface Phrase {
  readonly text: string;
  /** Its pairs of adjacent words (see `pairsIn`). */
  readonly pairs: readonly string[];
}

/** A text search (operator `search`): all of it must be found in the text or the topic of a message. */
export interface TextQuery {
  /** Each word must occur in the text or the topic. */
  readonly stems: readonly string[];
  /** Each phrase must occur in the text, or in the topic. */
  readonly phrases: readonly Phrase[];
}

/** A text to search, and its topic; null in direct messages. */
export interface SearchedText {
  readonly content: string;
  readonly topic: string | null;
}

/** Parses a search: words, and phrases in quotation marks, whose words are searched for too. */
export function parseTextQuery(operand: string): TextQuery {
  const phrases = [...operand.matchAll(/"([^"]+)"/g)].flatMap(([, phrase = '']) => phrase.trim() || []);
  return {
    stems: stemsIn(operand),
    phrases: phrases.map((phrase) => ({ text: phrase.toLowerCase(), pairs: pairsIn(phrase) })),
  };
}

/** Combines queries into one that requires all of them. */
export function joinQueries(queries: readonly TextQuery[]): TextQuery {
  return {
    stems: [...new Set(queries.flatMap(({ stems }) => stems))],
    phrases: queries.flatMap(({ phrases }) => phrases),
  };
}

/** Whether a query finds nothing because it contains only stop words. */
export function isVague({ stems }: TextQuery): boolean {
  return stems.length === 0;
}

/** Whether a message matches a query. */
export function matchesQuery(query: TextQuery, text: SearchedText): boolean {
  if (!hasPhrases(query, text)) return false;
  const found = new Set(textsOf(text).flatMap(stemsIn));
  return query.stems.every((stem) => found.has(stem));
}

/**
 * Whether a message contains the phrases of a query. Its words are not checked: that is slow, and an index
 * tells.
 */
export function hasPhrases({ phrases }: TextQuery, text: SearchedText): boolean {
  const texts = textsOf(text);
  return phrases.every((phrase) => texts.some((one) => hasPhrase(one, phrase)));
}

function textsOf({ content, topic }: SearchedText): readonly string[] {
  return topic === null ? [content] : [content, topic];
}

function hasPhrase(text: string, phrase: Phrase): boolean {
  if (!text.toLowerCase().includes(phrase.text)) return false;
  if (phrase.pairs.length === 0) return true;
  const pairs = new Set(pairsIn(text));
  return phrase.pairs.every((pair) => pairs.has(pair));
}
