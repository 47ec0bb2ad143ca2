import type { Document, FieldCondition, Sort } from './query-language.js';

/** What a partial index asks of a field: that it equals a scalar other than null, or lies beyond a bound of its type. */
export type PartialCondition =
  boolean | number | string | Pick<FieldCondition, '$gt' | '$gte' | '$lt' | '$lte'>;

/** The subset of the filter language that says which documents a partial index holds: all of these conditions are met. */
export type PartialFilter = { readonly [path: string]: PartialCondition };

/**
 * A declared index: its key fields in order (dotted paths). The fields hold scalars (a missing field counts as null),
 * except the one that `multikey` names; the embedded adapter refuses to write anything else there.
 */
export interface IndexDefinition {
  readonly key: Sort;
  /** No two documents have the same values, missing ones included. Not together with `multikey`. */
  readonly unique?: boolean;
  /** The path among the keys that holds an array of scalars, or goes through an array of objects. MongoDB finds out by itself. */
  readonly multikey?: string;
  /**
   * The index holds only the documents that match, and so stays small where few do. It serves filters that name the same conditions,
   * or values that meet them; what any filter finds is the same with and without. Its fields hold scalars. Not together with `unique`.
   */
  readonly partialFilterExpression?: PartialFilter;
}

/**
 * An index of the terms of a text, such as its words, by which documents are found that have some of them: the only thing that can be
 * asked of its path, in reads alone, is to equal a term (`$eq`, `$in`, `$all`). The terms stand in no document that is read.
 */
export interface TermIndexDefinition {
  /** The path by which filters ask. */
  readonly path: string;
  /** The field with the text. An update never changes it: a text changes when its document is replaced. */
  readonly of: string;
  /** Pure. Terms are made of small letters `a` to `z`, digits, and characters outside of ASCII. */
  readonly terms: (text: string) => Iterable<string>;
}

/** A collection that a model declares. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** Every `_id` is a whole number, which saves room. */
  readonly integerKeys?: boolean;
  /** Only where every `_id` is a whole number. */
  readonly termIndex?: TermIndexDefinition;
  /**
   * What many documents have in common, by field: a store may leave it out of them and add it when they are read. A document that is
   * stored has all of these fields; an update never removes one. Their values are never changed, only replaced.
   */
  readonly defaults?: Document;
}

/** How a read model is stored: its projection writes it, queries open it. */
export interface ModelDefinition {
  /** Kebab-case, unique. */
  readonly name: string;
  /** Raised when the same events shall give other documents: the new version is built beside the old one. */
  readonly version: number;
  readonly collections: readonly CollectionDefinition[];
}
