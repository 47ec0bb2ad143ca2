import type { INestApplicationContext } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { namedSchemas } from '../replies/common-schemas.js';
import { replyOf, type DescribedFields, type DescribedReply } from '../replies/reply.decorator.js';
import type { ControllerEndpoint } from './endpoints.js';
import { operationsOf } from './operations-in-document.js';

/** Schemas in OpenAPI's form, by name. */
type WrittenSchemas = Readonly<Record<string, object>>;

/** Converts schemas to the form of OpenAPI 3.0; a named schema within another becomes a reference. */
function writtenSchemas(named: ReadonlyMap<string, z.ZodType>): WrittenSchemas {
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
const nullSchema = { type: 'string', nullable: true, enum: [null] };

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
  if (!('type' in plain))
    return { ...(description !== undefined && { description }), anyOf: [plain, nullSchema] };
  const { enum: values } = plain;
  if (!Array.isArray(values) || values.includes(null)) return written;
  return { ...written, enum: [...(values as unknown[]), null] };
}

interface Operation {
  readonly operationId?: string;
  readonly responses: Record<string, object>;
}

/** The members of every success; most operations add fields. */
const envelope = {
  result: z.literal('success'),
  msg: z.string(),
  ignored_parameters_unsupported: z
    .array(z.string())
    .optional()
    .describe(
      'Names of parameters of the request that the operation does not have; absent if there are none',
    ),
} as const;

/** Prefix for temporary names of schemas that belong to one operation. */
const OF_OPERATION = 'operation:';

/** Documents the success of each operation, and adds named schemas to the document's components. */
export function describeReplies(
  document: OpenAPIObject,
  endpoints: readonly ControllerEndpoint[],
  application: INestApplicationContext,
): OpenAPIObject {
  const replies = new Map<string, DescribedReply>(
    endpoints.flatMap(({ controller, prototype, name }) => {
      const reply = replyOf(prototype, name);
      return reply === undefined ? [] : [[`${controller.name}_${name}`, reply] as const];
    }),
  );
  const schemas = new Map(namedSchemas());
  for (const [id, reply] of replies) {
    const schema = schemaOf(reply, application);
    if (schema !== null) schemas.set(`${OF_OPERATION}${id}`, schema);
  }
  const written = writtenSchemas(schemas);
  for (const { operation } of operationsOf<Operation>(document)) {
    const { operationId = '', responses } = operation;
    const reply = replies.get(operationId);
    if (reply === undefined) continue;
    for (const status of Object.keys(responses)) if (/^[23]/.test(status)) delete responses[status];
    Object.assign(responses, responsesOf(reply, written[`${OF_OPERATION}${operationId}`]));
  }
  const named = Object.entries(written).filter(([name]) => !name.startsWith(OF_OPERATION));
  const { components } = document;
  const all = { ...components?.schemas, ...Object.fromEntries(named) };
  return { ...document, components: { ...components, schemas: all } };
}

/** Null: there is no body, or it is not JSON. */
function schemaOf(reply: DescribedReply, application: INestApplicationContext): z.ZodType | null {
  if (reply.kind === 'statuses') return reply.body?.schema ?? null;
  return reply.kind === 'fields' ? schemaOfFields(reply, application) : null;
}

function schemaOfFields({ alternatives }: DescribedFields, application: INestApplicationContext): z.ZodType {
  const [first = z.strictObject(envelope), ...others] = alternatives.map((fields) =>
    z.strictObject({ ...envelope, ...(typeof fields === 'function' ? fields(application) : fields) }),
  );
  return others.length === 0 ? first : z.union([first, ...others]);
}

function responsesOf(reply: DescribedReply, schema: object | undefined): Readonly<Record<string, object>> {
  switch (reply.kind) {
    case 'fields':
      return { 200: { description: 'A success', content: { 'application/json': { schema } } } };
    case 'file': {
      const binary = { schema: { type: 'string', format: 'binary' } };
      const content = Object.fromEntries(reply.contentTypes.map((type) => [type, binary]));
      return {
        200: { description: 'The file', content },
        206: { description: 'The part of the file that the header `Range` requests', content },
      };
    }
    case 'statuses':
      return Object.fromEntries(
        Object.entries(reply.statuses).map(([status, description]) => {
          const hasBody = reply.body?.of.includes(Number(status)) === true;
          return [status, { description, ...(hasBody && { content: { 'application/json': { schema } } }) }];
        }),
      );
    case 'redirect':
      return { 302: { description: 'A redirect to the address in the header `Location`' } };
  }
}
