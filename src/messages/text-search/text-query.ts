import { stemsIn } from './words.js';

/** What a text is searched for (facts, section 3, `search`): all of it must be found in the text or the topic of a message. */
export interface TextQuery {
  /** Each word stands somewhere. */
  readonly stems: readonly string[];
  /** Each stands as it is, whatever its case. */
  readonly phrases: readonly string[];
}

/** A text that may be found, and its topic; null in direct messages. */
export interface SearchedText {
  readonly content: string;
  readonly topic: string | null;
}

/** Reads what somebody searches for: words, and phrases in quotation marks, whose words count as well. */
export function parseTextQuery(operand: string): TextQuery {
  const phrases = [...operand.matchAll(/"([^"]+)"/g)].flatMap(([, phrase = '']) => phrase.trim() || []);
  return { stems: stemsIn(operand), phrases: phrases.map((phrase) => phrase.toLowerCase()) };
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
export function matchesQuery({ stems, phrases }: TextQuery, { content, topic }: SearchedText): boolean {
  const [lowerContent, lowerTopic] = [content.toLowerCase(), (topic ?? '').toLowerCase()];
  if (!phrases.every((phrase) => lowerContent.includes(phrase) || lowerTopic.includes(phrase))) return false;
  const found = new Set([...stemsIn(content), ...stemsIn(topic ?? '')]);
  return stems.every((stem) => found.has(stem));
}
