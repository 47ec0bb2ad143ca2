import { z } from 'zod';

/** Schemas in OpenAPI's form, by name. */
export type WrittenSchemas = Readonly<Record<string, object>>;

/** Converts schemas to the form of OpenAPI 3.0; a named schema within another becomes a reference. */
export function writtenSchemas(named: ReadonlyMap<string, z.ZodType>): WrittenSchemas {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // This maximum holds for every safe integer, and so says nothing.
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

/** The value null in OpenAPI 3.0. */
const NULL = { type: 'string', nullable: true, enum: [null] };

/**
 * Removes `nullable` from schemas without a type, and lists null among enumerated values, as OpenAPI 3.0
 * requires.
 */
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
