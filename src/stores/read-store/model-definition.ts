import type { Document, FieldCondition, Sort } from './query-language.js';

/** A condition of a partial index on a field: it equals a scalar other than null, or is beyond a bound of its type. */
export type PartialCondition =
  boolean | number | string | Pick<FieldCondition, '$gt' | '$gte' | '$lt' | '$lte'>;

/** The subset of the filter language for partial indexes: all of these conditions are met. */
export type PartialFilter = { readonly [path: string]: PartialCondition };

/**
 * A declared index: its key fields in order (dotted paths). The fields contain scalars (a missing field counts as null), except for the one
 * that `multikey` names; the embedded adapter refuses to write anything else to them.
 */
export interface IndexDefinition {
  readonly key: Sort;
  /** Documents must have different values; missing ones count as equal. Not together with `multikey`. */
  readonly unique?: boolean;
  /** The path among the keys that leads to an array of scalars, or through an array of objects. MongoDB detects this by itself. */
  readonly multikey?: string;
  /**
   * The index contains only matching documents, so it stays small if few match. It serves filters with the same conditions, or with values
   * that meet them; the results of filters do not depend on it. Its fields contain scalars. Not together with `unique`.
   */
  readonly partialFilterExpression?: PartialFilter;
}

/**
 * An index of the terms of a text, such as its words. In reads, its path can only be tested for equality with terms (`$eq`, `$in`, `$all`).
 * The terms are not part of the documents that are read.
 */
export interface TermIndexDefinition {
  /** The path in filters. */
  readonly path: string;
  /** The field with the text. Updates must not change it: to change a text, its document is replaced. */
  readonly of: string;
  /** A pure function. Terms consist of letters `a` to `z`, digits, and characters outside of ASCII. */
  readonly terms: (text: string) => Iterable<string>;
}

/** A collection of a model. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** True: every `_id` is an integer, which saves space. */
  readonly integerKeys?: boolean;
  /** Only if every `_id` is an integer. */
  readonly termIndex?: TermIndexDefinition;
  /**
   * Values that many documents have in common, by field. A store may omit them and add them when documents are read. Stored documents must
   * have all of these fields; updates never remove one. The values are only replaced, never modified.
   */
  readonly defaults?: Document;
}

/** How a read model is stored: its projection writes it, and queries read it. */
export interface ModelDefinition {
  /** In kebab case, unique. */
  readonly name: string;
  /** Raised when the same events are to give different documents: the new version is built beside the old one. */
  readonly version: number;
  readonly collections: readonly CollectionDefinition[];
}
