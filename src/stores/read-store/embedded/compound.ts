import { LRUCache } from 'lru-cache';
import type { SqlValue } from './connection.js';

/** Well below SQLite's limit of 500 terms in a compound SELECT. */
const MAX_TERMS = 256;

/** SQLite's limit is 32,766. */
const MAX_PARAMETERS = 30_000;

/** Cached texts of compound statements: they are long, and few different ones are used again and again. */
const compounds = new LRUCache<string, string>({ max: 500 });

/** A SELECT of the columns to sort by, with the document's key as id. */
export interface SimpleSelect {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** How terms are merged. */
interface Merging {
  /** Quoted name of the table of documents. */
  readonly table: string;
  /** The column of its documents' keys. */
  readonly key: string;
  /** ORDER BY clause with column numbers. */
  readonly order: string;
}

/** Terms with the same SQL. */
type Chunk = readonly [SimpleSelect, ...SimpleSelect[]];

/** Merges terms. Each statement answers the first documents of some terms, and usually one answers all. */
export function compoundsOf(terms: readonly SimpleSelect[], merging: Merging): readonly Compound[] {
  return packed(chunksOf(terms)).map((chunks) => compoundOf(chunks, merging));
}

/** Puts as many chunks together as fit into a statement. */
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

/** Groups of terms with the same SQL, split into sizes that are powers of two, so that few different statements occur. */
function chunksOf(terms: readonly SimpleSelect[]): readonly Chunk[] {
  const bySql = new Map<string, SimpleSelect[]>();
  for (const term of terms) {
    if (bySql.get(term.sql)?.push(term) === undefined) bySql.set(term.sql, [term]);
  }
  return [...bySql.values()].flatMap(chunksOfAlike);
}

function chunksOfAlike(terms: readonly SimpleSelect[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const max = Math.min(MAX_TERMS, MAX_PARAMETERS / Math.max(1, terms[0]!.parameters.length));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(max)));
  for (let from = 0; from < terms.length; from += step) {
    const chunk: [SimpleSelect, ...SimpleSelect[]] = [terms[from]!, ...terms.slice(from + 1, from + step)];
    const size = 2 ** Math.ceil(Math.log2(chunk.length));
    // Repeated terms have no effect, because UNION removes duplicates.
    while (chunk.length < size) chunk.push(chunk[0]);
    chunks.push(chunk);
  }
  return chunks;
}

/** The documents of several terms, in order. */
export interface Compound {
  /** FROM clause with the documents as `stored`. Its last parameters are the limit and the offset. */
  readonly from: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * The union of all terms. SQLite merges terms that are in order without reading more of each than necessary. They only select what they are
 * ordered by, because removing duplicates would otherwise need another sort.
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

/** A chunk and its parameters. */
interface Binding {
  readonly chunk: Chunk;
  /** By index in a term: whether the parameter is the same in all terms (mostly the bounds of the page), so that it is bound once. */
  readonly shared: readonly boolean[];
  /** The shared ones first, then the others, term by term. */
  readonly parameters: readonly SqlValue[];
  /** The same for chunks with the same SQL. */
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

/** The SQL of each term, with its parameters numbered after those already bound. */
function numbered({ chunk, shared }: Binding, bound: number): readonly string[] {
  let next = bound + shared.filter(Boolean).length;
  return chunk.map(({ sql }) => {
    let [slot, common] = [0, bound];
    return sql.replaceAll('?', () => `?${shared[slot++] ? ++common : ++next}`);
  });
}
