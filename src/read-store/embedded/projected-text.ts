import type { FindOptions } from '../port.js';
import type { CollectionSchema } from './collection-schema.js';

const PLAIN_FIELD = /^[A-Za-z_]\w*$/;

/**
 * SQL of the JSON text of a document with the projected fields alone, where each of them has a key column: most of the
 * document is then neither read nor parsed. A column has whole numbers as they are; what else a document holds, or that
 * it holds nothing, is taken from its text.
 *
 * @returns null when some field has no column
 */
export function projectedText(
  { columns }: CollectionSchema,
  projection: FindOptions['projection'] = {},
): string | null {
  const paths = Object.keys(projection).filter((path) => path !== '_id');
  if (paths.length === 0 || !paths.every((path) => columns.has(path) && PLAIN_FIELD.test(path))) return null;
  const members = paths.map((path) => {
    const value = valueText(`stored.${columns.get(path)!.name}`, path);
    return ` || coalesce(',"${path}":' || ${value}, '')`;
  });
  return `'{"_id":' || ${valueText('stored.id', '_id')}${members.join('')} || '}'`;
}

/** The driver binds every number as a real one, of which SQLite writes 15 digits and a fraction. */
function valueText(column: string, path: string): string {
  const whole = `CAST(${column} AS INTEGER)`;
  return `iif(typeof(${column}) = 'real' AND ${column} = ${whole}, ${whole}, stored.document -> '$.${path}')`;
}
