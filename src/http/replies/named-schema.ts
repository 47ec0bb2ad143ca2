import type { z } from 'zod';

/** Schemas that have a name of their own in the OpenAPI document; others are written inline. */
const schemas = new Map<string, z.ZodType>();

/** The present {@link schemas}. */
export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return schemas;
}

/**
 * Gives a schema a name in the OpenAPI document.
 *
 * @param id unique, in the document's case, such as `Message`
 */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  if (schemas.has(id)) throw new Error(`Two schemas are called ${id}`);
  schemas.set(id, schema);
  return schema;
}

/** The read-only type of the values that a schema describes, as replies are built from them. */
export type Described<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

/** An object whose members are read-only at every depth. */
export type DeepReadonly<Value> = Value extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;
