import type { FindOptions, Keyed } from '../port.js';
import type { Fields } from '../language/documents.js';
import type { CollectionSchema } from './collection-schema.js';
import type { Row, SqlValue } from './connection.js';
import type { DocumentText } from './document-text.js';
import { projectionOf } from './projected.js';
import type { RowReader } from './row-reader.js';

/** What is read of each document, and how a page is transferred from the database. */
export interface Selection {
  /** SQL of the columns that are read. */
  readonly columns: string;
  /** SQL that aggregates a page into one row, because calling the database for each document costs more than reading it. */
  readonly together: string;
  /** The documents in that row; null: the columns do not contain the exact values. */
  readonly documentsOf: (row: Row, text: DocumentText) => Keyed[] | null;
  /** Parses a document's text; absent: the text is not read. */
  readonly documentOf?: (text: DocumentText, document: string) => Keyed;
}

/** Complete documents. */
export const wholeDocuments: Selection = {
  columns: 'stored.document AS document',
  together: 'group_concat(document)',
  documentsOf: ([documents], text) => (documents ? text.readAll(documents as string) : []),
  documentOf: (text, document) => text.read(document),
};

/** Some fields of documents, whatever their values. @returns null: there is no projection */
export function someFields(projection: FindOptions['projection'] = {}): Selection | null {
  const paths = Object.keys(projection);
  if (paths.length === 0) return null;
  const project = projectionOf(paths);
  const fields = paths.map((path) => path.split('.')[0]!);
  return {
    ...wholeDocuments,
    documentsOf: ([documents], text) => (documents ? text.readAll(documents as string).map(project) : []),
    documentOf: (text, document) => project(text.readFor(fields, document)),
  };
}

const plainField = /^[A-Za-z_]\w*$/;

/**
 * Fields that all have key columns, so that documents need not be read. It only works if these columns contain integers, because other
 * column values may stand for several field values.
 *
 * @returns null: a field of the projection has no column, or there is no projection
 */
export function wholeNumbers(
  { columns, key }: CollectionSchema,
  projection: FindOptions['projection'] = {},
): Selection | null {
  const named = Object.keys(projection);
  const paths = named.filter((path) => path !== '_id');
  if (named.length === 0 || !paths.every((path) => columns.has(path) && plainField.test(path))) return null;
  const fields = ['_id', ...paths];
  const names = [key, ...paths.map((path) => columns.get(path)!.name)];
  const numbers = fields.map((_, at) => `CAST(field${at} AS INTEGER)`);
  const tests = numbers.map(
    (number, at) => `typeof(field${at}) IN ('integer', 'real') AND field${at} = ${number}`,
  );
  return {
    columns: names.map((name, at) => `stored.${name} AS field${at}`).join(', '),
    together: `group_concat(${numbers.join(" || ',' || ")}), min(${tests.join(' AND ')})`,
    documentsOf: ([values, areExact]) => {
      if (values === null) return [];
      return areExact === 1 ? documentsOf(JSON.parse(`[${values as string}]`) as number[], fields) : null;
    },
  };
}

function documentsOf(values: readonly number[], fields: readonly string[]): Keyed[] {
  const documents: Keyed[] = [];
  for (let at = 0; at < values.length; at += fields.length) {
    const document: Fields = {};
    for (const [index, field] of fields.entries()) document[field] = values[at + index];
    documents.push(document as Keyed);
  }
  return documents;
}

/** A FROM clause with what follows it, and its limit. */
export interface PageSource {
  /** The schema of its collection. */
  readonly schema: Pick<CollectionSchema, 'text'>;
  readonly from: string;
  readonly parameters: readonly SqlValue[];
  /** Maximum number of documents; -1: unlimited. */
  readonly limit: number;
}

/** More documents than this would make the aggregated text too long. */
const MAX_TOGETHER = 256;

/** Whether documents are read one by one, because there may be many. */
export function isLarge({ limit }: { readonly limit: number }): boolean {
  return limit < 0 || limit > MAX_TOGETHER;
}

/** Reads a page; null: the columns of the selection do not contain the exact values. */
export async function readPage(
  reader: RowReader,
  source: PageSource,
  selection: Selection,
): Promise<Keyed[] | null> {
  const { from, parameters, schema } = source;
  const select = `SELECT ${selection.columns} ${from}`;
  const { documentOf } = selection;
  const page =
    documentOf !== undefined && isLarge(source)
      ? await reader.rows(select, parameters, ([document]) => documentOf(schema.text, document as string))
      : selection.documentsOf(
          (await reader.row(`SELECT ${selection.together} FROM (${select})`, parameters)) ?? [null],
          schema.text,
        );
  reader.noteRows(page?.length ?? 0);
  return page;
}

/** Reads a page of complete documents. */
export async function readDocuments(reader: RowReader, source: PageSource): Promise<Keyed[]> {
  return (await readPage(reader, source, wholeDocuments)) ?? [];
}
