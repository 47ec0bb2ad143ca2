import { pairsIn, stemsIn } from './words.js';

/** A text that stands as it is, whatever its case, its first and last word being whole words but for their endings. */
export interface Phrase {
  readonly text: string;
  /** Its words that stand side by side (see `pairsIn`). */
  readonly pairs: readonly string[];
}

/** What a text is searched for (facts, section 3, `search`): all of it must be found in the text or the topic of a message. */
export interface TextQuery {
  /** Each word stands somewhere. */
  readonly stems: readonly string[];
  /** Each stands in the text, or in the topic. */
  readonly phrases: readonly Phrase[];
}

/** A text that may be found, and its topic; null in direct messages. */
export interface SearchedText {
  readonly content: string;
  readonly topic: string | null;
}

/** Reads what somebody searches for: words, and phrases in quotation marks, whose words count as well. */
export function parseTextQuery(operand: string): TextQuery {
  const phrases = [...operand.matchAll(/"([^"]+)"/g)].flatMap(([, phrase = '']) => phrase.trim() || []);
  return {
    stems: stemsIn(operand),
    phrases: phrases.map((phrase) => ({ text: phrase.toLowerCase(), pairs: pairsIn(phrase) })),
  };
}

/** All of several queries at once. */
export function joinQueries(queries: readonly TextQuery[]): TextQuery {
  return {
    stems: [...new Set(queries.flatMap(({ stems }) => stems))],
    phrases: queries.flatMap(({ phrases }) => phrases),
  };
}

/** Whether a query finds nothing because nothing in it tells one text from another. */
export function isVague({ stems }: TextQuery): boolean {
  return stems.length === 0;
}

/** Whether a message answers a query. */
export function matchesQuery(query: TextQuery, text: SearchedText): boolean {
  if (!hasPhrases(query, text)) return false;
  const found = new Set(textsOf(text).flatMap(stemsIn));
  return query.stems.every((stem) => found.has(stem));
}

/** Whether a message has the phrases of a query: whether it has its words is told by an index, and takes long to find out. */
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
