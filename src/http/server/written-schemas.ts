import { z } from 'zod';

/** A schema in OpenAPI's words, by its name. */
export type WrittenSchemas = Readonly<Record<string, object>>;

/** Writes schemas in the words of OpenAPI 3.0: one that stands in another is referred to by its name. */
export function writtenSchemas(named: ReadonlyMap<string, z.ZodType>): WrittenSchemas {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // What no number is beyond says nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _name, $schema: _dialect, ...schema }]) => [
      name,
      withPlainNulls(schema) as object,
    ]),
  );
}

/** As OpenAPI 3.0 says of a value that it is null. */
const NULL = { type: 'string', nullable: true, enum: [null] };

/** Says `nullable` of nothing but what has a type, and names null among the values: OpenAPI 3.0 knows it of nothing else. */
function withPlainNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainNulls);
  if (typeof schema !== 'object' || schema === null) return schema;
  const written = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, withPlainNulls(member)]),
  );
  if (written['nullable'] !== true) return written;
  const { nullable: _nullable, description, ...plain } = written;
  if (!('type' in plain)) return { ...(description !== undefined && { description }), anyOf: [plain, NULL] };
  const { enum: values } = plain;
  if (!Array.isArray(values) || values.includes(null)) return written;
  return { ...written, enum: [...(values as unknown[]), null] };
}
