import { LRUCache } from 'lru-cache';
import type { SqlValue } from './connection.js';

/** Well under SQLite's limit of 500 terms in a compound SELECT. */
const MAX_TERMS = 256;

/** SQLite binds 32,766 at most. */
const MAX_PARAMETERS = 30_000;

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
  /** The column of the documents' keys there. */
  readonly key: string;
  /** ORDER BY clause, by place. */
  readonly order: string;
}

/** Terms with the same SQL. */
type Chunk = readonly [Term, ...Term[]];

/** Merges terms: each statement answers the first documents of some of them, mostly one of them all. */
export function compoundsOf(terms: readonly Term[], merging: Merging): readonly Compound[] {
  return packed(chunksOf(terms)).map((chunks) => compoundOf(chunks, merging));
}

/** As many chunks together as a statement can hold. */
function packed(chunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const packs: { readonly chunks: Chunk[]; terms: number; parameters: number }[] = [];
  for (const chunk of chunks) {
    const parameters = chunk.length * chunk[0].parameters.length;
    const last = packs.at(-1);
    if (last && last.terms + chunk.length <= MAX_TERMS && last.parameters + parameters <= MAX_PARAMETERS) {
      last.chunks.push(chunk);
      last.terms += chunk.length;
      last.parameters += parameters;
    } else {
      packs.push({ chunks: [chunk], terms: chunk.length, parameters });
    }
  }
  return packs.map((pack) => pack.chunks);
}

/** Groups of terms with the same SQL, cut to sizes that are powers of two so that few statements serve all. */
function chunksOf(terms: readonly Term[]): readonly Chunk[] {
  const bySql = new Map<string, Term[]>();
  for (const term of terms) {
    if (bySql.get(term.sql)?.push(term) === undefined) bySql.set(term.sql, [term]);
  }
  return [...bySql.values()].flatMap(chunksOfAlike);
}

function chunksOfAlike(terms: readonly Term[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const most = Math.min(MAX_TERMS, MAX_PARAMETERS / Math.max(1, terms[0]!.parameters.length));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(most)));
  for (let from = 0; from < terms.length; from += step) {
    const chunk: [Term, ...Term[]] = [terms[from]!, ...terms.slice(from + 1, from + step)];
    const size = 2 ** Math.ceil(Math.log2(chunk.length));
    // A term twice changes nothing: UNION removes what is double.
    while (chunk.length < size) chunk.push(chunk[0]);
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
 * The union of all terms. SQLite merges terms that come in order, taking no more of each than is asked for: they select what
 * they are ordered by and nothing else, or telling doubles would take further sorting.
 */
function compoundOf(chunks: readonly Chunk[], { table, key: column, order }: Merging): Compound {
  const bindings = chunks.map(bindingOf);
  const key = `${table}${order} ${bindings.map(({ key: part }) => part).join('\n')}`;
  let text = compounds.get(key);
  if (text === undefined) {
    let bound = 0;
    const union = bindings.flatMap((binding) => {
      const terms = numbered(binding, bound);
      bound += binding.parameters.length;
      return terms;
    });
    text = `FROM (${union.join(' UNION ')}${order} LIMIT ? OFFSET ?) AS found CROSS JOIN ${table} AS stored ON stored.${column} = found.id`;
    compounds.set(key, text);
  }
  return { from: text, parameters: bindings.flatMap(({ parameters }) => parameters) };
}

/** A chunk with what its statement binds. */
interface Binding {
  readonly chunk: Chunk;
  /** By place in a term: whether the parameter is the same in all of them (mostly the bounds of the page) and bound once. */
  readonly shared: readonly boolean[];
  /** The shared ones first, then the others, term by term. */
  readonly parameters: readonly SqlValue[];
  /** The same for chunks with the same text. */
  readonly key: string;
}

function bindingOf(chunk: Chunk): Binding {
  const [{ sql, parameters: first }] = chunk;
  const shared = first.map((value, slot) => chunk.every(({ parameters }) => parameters[slot] === value));
  const parameters = first.filter((_, slot) => shared[slot]);
  for (const term of chunk) {
    for (const [slot, value] of term.parameters.entries()) if (!shared[slot]) parameters.push(value);
  }
  return { chunk, shared, parameters, key: `${chunk.length} ${shared.join()} ${sql}` };
}

/** The SQL of each term, its parameters numbered after those that are bound already. */
function numbered({ chunk, shared }: Binding, bound: number): readonly string[] {
  let next = bound + shared.filter(Boolean).length;
  return chunk.map(({ sql }) => {
    let [slot, common] = [0, bound];
    return sql.replaceAll('?', () => `?${shared[slot++] ? ++common : ++next}`);
  });
}
