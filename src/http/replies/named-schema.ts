import type { z } from 'zod';

/** The schemas that the OpenAPI document keeps under a name of their own; others stand where they are used. */
const schemas = new Map<string, z.ZodType>();

/** {@link schemas} as they are by now. */
export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return schemas;
}

/**
 * Gives a schema a name in the OpenAPI document.
 *
 * @param id in the document's own case, such as `Message`; no two schemas share one
 */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  if (schemas.has(id)) throw new Error(`Two schemas are called ${id}`);
  schemas.set(id, schema);
  return schema;
}

/** What a schema describes, as the objects that are made for a reply have it: nobody changes them. */
export type Described<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

/** An object whose members, at every depth, are only read. */
export type DeepReadonly<Value> = Value extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;
