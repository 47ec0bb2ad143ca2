import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-in-document.js';

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface QueryParameter {
  readonly in: string;
  schema?: Schema;
  content?: object;
}

interface Operation {
  readonly parameters?: QueryParameter[];
  readonly requestBody?: { readonly content: Record<string, { schema?: Schema; encoding?: object }> };
}

const JSON_TYPE = 'application/json';

/**
 * Documents that every parameter with an object or an array is sent as JSON text, which the decorators of
 * Nest's OpenAPI module cannot express.
 */
export function describeJsonInForms(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const { operation } of operationsOf<Operation>(document)) {
    operation.parameters?.forEach(describeQueryParameter);
    for (const body of Object.values(operation.requestBody?.content ?? {})) {
      body.encoding = encodingOf(schemas[body.schema?.$ref?.split('/').at(-1) ?? '']);
    }
  }
  return document;
}

function describeQueryParameter(parameter: QueryParameter): void {
  const { schema } = parameter;
  if (parameter.in !== 'query' || schema === undefined || !isJson(schema)) return;
  delete parameter.schema;
  parameter.content = { [JSON_TYPE]: { schema } };
}

function encodingOf(form: Schema | undefined): object {
  const properties = Object.entries(form?.properties ?? {}).filter(([, schema]) => isJson(schema));
  return Object.fromEntries(properties.map(([name]) => [name, { contentType: JSON_TYPE }]));
}

function isJson({ type }: Schema): boolean {
  return type === undefined || type === 'array' || type === 'object';
}
