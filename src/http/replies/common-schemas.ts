import { z } from 'zod';

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
type DeepReadonly<Value> = Value extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;

/** The id of something. */
export const id = z.int();

/** Ids, in the order that the field's description says. */
export const ids = z.array(z.int());

/** Seconds since the UNIX epoch. */
export const seconds = z.int().describe('Seconds since the UNIX epoch');

/** Seconds since the UNIX epoch, or never. */
export const secondsOrNever = z.int().nullable().describe('Seconds since the UNIX epoch, or null');

/** HTML rendered from Markdown. */
export const html = z.string().describe('HTML');

/** Who holds a permission: a user group by its id, or people and groups. */
export const groupSetting = named(
  'GroupSetting',
  z.union([
    z.int(),
    z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
  ]),
);

/**
 * The namespace of an emoji; older clients get `zulip_extra_emoji` for the third (docs/api/differences.md).
 */
export const reactionType = z.enum([
  'unicode_emoji',
  'realm_emoji',
  'service_extra_emoji',
  'zulip_extra_emoji',
]);

/** An object schema with one field for each name of a table, all with the same schema. */
export function fieldsOf<Name extends string, Schema extends z.ZodType>(
  names: readonly Name[],
  schema: Schema,
): Readonly<Record<Name, Schema>> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** The schema of a constant value: an object with the same members, or a list of items like its items. */
function like(value: unknown): z.ZodType {
  if (Array.isArray(value)) return value.length === 0 ? z.array(z.never()) : z.array(like(value[0]));
  if (value === null) return z.null();
  if (typeof value === 'object') return z.strictObject(fieldsLike(value));
  if (typeof value === 'number') return z.int();
  return typeof value === 'boolean' ? z.boolean() : z.string();
}

/** The members of a constant object, each with the schema from {@link like}. */
export function fieldsLike(value: object): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, like(member)]));
}

/** The same fields, all optional. */
export function optionalFields(
  fields: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.optional()]));
}
