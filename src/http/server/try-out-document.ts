import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-in-document.js';

interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly description?: string | undefined;
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
}

interface Form {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const REFERENCE = '#/components/schemas/';

/**
 * The document for the documentation page. Swagger UI fills in and sends a made-up value for every form field
 * without an example; here optional fields are empty instead, and empty fields are not sent.
 */
export function tryOutDocument(document: OpenAPIObject): OpenAPIObject {
  const { components } = document;
  const forms = new Set(
    operationsOf<Operation>(document).flatMap(({ operation: { requestBody } }) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref?.replace(REFERENCE, '')),
    ),
  );
  const shown = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => [name, forms.has(name) ? withEmptyFields(schema as Form) : schema] as const,
  );
  const schemas: Schemas = Object.fromEntries(shown);
  return { ...withFilledPaths(document), components: { ...components, schemas } };
}

/**
 * Ids that the examples of other operations create in a new organization, so that the examples of reading
 * operations work.
 */
const idsInPaths: Readonly<Record<string, unknown>> = {
  message_id: 1,
  stream_id: 1,
  channel_id: 1,
};

/**
 * Fills in the paths of reading operations; those of operations that change or delete data are left to the
 * user.
 */
function withFilledPaths(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const parameters = item.get?.parameters?.map((parameter) =>
      'in' in parameter && parameter.in === 'path' && parameter.name in idsInPaths
        ? { ...parameter, example: idsInPaths[parameter.name] }
        : parameter,
    );
    return [path, parameters === undefined ? item : { ...item, get: { ...item.get, parameters } }] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function withEmptyFields(form: Form): object {
  const { properties = {}, required = [] } = form;
  const shown = Object.entries(properties).map(([name, property]) => {
    const isKept = required.includes(name) || property.example !== undefined || property.format === 'binary';
    return [name, asText(isKept ? property : { ...property, example: '' })];
  });
  return { ...form, properties: Object.fromEntries(shown) as Form['properties'] };
}

/**
 * Turns a list of numbers or texts into a field for its JSON: Swagger UI sends a list with one number as that
 * number.
 */
function asText(property: Property): Property {
  // Swagger UI shows the first of several alternatives.
  const { type, items } = property.type === undefined ? (property.anyOf?.[0] ?? property) : property;
  const { example, description } = property;
  if (type !== 'array') return property;
  if (items?.type === undefined || items.type === 'object') return { ...property, example: example || [] };
  const text = Array.isArray(example) ? JSON.stringify(example) : example;
  return { type: 'string', format: `JSON list of ${items.type}s`, description, example: text };
}
