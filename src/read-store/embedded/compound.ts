import { LRUCache } from 'lru-cache';
import type { SqlValue } from './connection.js';

/** Well under SQLite's limit of 500 terms in a compound SELECT. */
const MOST_TERMS = 256;

/** SQLite binds 32,766 at most. */
const MOST_PARAMETERS = 30_000;

/** Texts of compound statements: they are long, and the same few come again and again. */
const compounds = new LRUCache<string, string>({ max: 500 });

/** A SELECT of the columns that it is ordered by, the document's key among them as id. */
export interface Term {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** How terms are merged. */
export interface Merging {
  /** Quoted name of the table of documents. */
  readonly table: string;
  /** ORDER BY clause, by place. */
  readonly order: string;
}

/** Merges terms: each statement answers the first rows of some of them. */
export function compoundsOf(terms: readonly Term[], merging: Merging): readonly Compound[] {
  return chunksOf(terms).map((chunk) => compoundOf(chunk, merging));
}

/** Groups of terms with the same SQL, cut to sizes that are powers of two so that few statements serve all. */
function chunksOf(terms: readonly Term[]): readonly (readonly Term[])[] {
  const bySql = new Map<string, Term[]>();
  for (const term of terms) {
    if (bySql.get(term.sql)?.push(term) === undefined) bySql.set(term.sql, [term]);
  }
  return [...bySql.values()].flatMap(chunksOfAlike);
}

function chunksOfAlike(terms: readonly Term[]): readonly Term[][] {
  const chunks: Term[][] = [];
  const most = Math.min(MOST_TERMS, MOST_PARAMETERS / Math.max(1, terms[0]!.parameters.length));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(most)));
  for (let from = 0; from < terms.length; from += step) {
    const chunk = terms.slice(from, from + step);
    const size = 2 ** Math.ceil(Math.log2(chunk.length));
    // A term twice changes nothing: UNION removes what is double.
    while (chunk.length < size) chunk.push(chunk[0]!);
    chunks.push(chunk);
  }
  return chunks;
}

/** The documents that some terms lead to, in order. */
export interface Compound {
  /** FROM clause with the documents as `stored`. Its last parameters are how many documents it answers, and after how many. */
  readonly from: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * The union of a chunk's terms. Parameters that are the same in all of them (mostly the bounds of the page) are bound once. SQLite
 * merges terms that come in order, taking no more of each than is asked for: they select what they are ordered by and nothing
 * else, or telling doubles would take further sorting.
 */
function compoundOf(chunk: readonly Term[], { table, order }: Merging): Compound {
  const [{ sql, parameters: first }] = chunk as readonly [Term, ...Term[]];
  const shared = first.map((value, slot) => chunk.every(({ parameters }) => parameters[slot] === value));
  const parameters = first.filter((_, slot) => shared[slot]);
  for (const term of chunk) {
    for (const [slot, value] of term.parameters.entries()) if (!shared[slot]) parameters.push(value);
  }
  const key = `${chunk.length} ${shared.join()} ${table} ${order} ${sql}`;
  let text = compounds.get(key);
  if (text === undefined) {
    const union = numbered(sql, shared, chunk.length).join(' UNION ');
    text = `FROM (${union}${order} LIMIT ? OFFSET ?) AS found CROSS JOIN ${table} AS stored ON stored.id = found.id`;
    compounds.set(key, text);
  }
  return { from: text, parameters };
}

/** The SQL of each term, shared parameters numbered first and the others after them, term by term. */
function numbered(sql: string, shared: readonly boolean[], terms: number): string[] {
  let next = shared.filter(Boolean).length;
  return Array.from({ length: terms }, () => {
    let [slot, common] = [0, 0];
    return sql.replaceAll('?', () => `?${shared[slot++] ? ++common : ++next}`);
  });
}
