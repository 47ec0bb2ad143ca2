import { operationsOf } from '../../../src/http/server/operations-in-document.js';

/** What the document of the API says of a value. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  /** What `maxLength` counts; absent: code points. */
  readonly 'x-length-unit'?: string;
  /** To how many code points a longer text is cut. */
  readonly 'x-cut-at'?: number;
  /** How many items the list has that a text may contain. */
  readonly 'x-max-items'?: number;
  /** Maximum size of a file. */
  readonly 'x-max-bytes'?: number;
}

/** A parameter of an operation. */
export interface DocumentedParameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'form';
  readonly isRequired: boolean;
  /** References are followed. */
  readonly schema: Schema;
  /** Whether its text is JSON. */
  readonly isJson: boolean;
}

/** An operation and all that it takes. */
export interface Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  /** The field of a form that holds a file; null: it takes none. */
  readonly file: string | null;
  /** Maximum size of that file; null: the document shows none. */
  readonly maxFileBytes: number | null;
}

interface Described {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required?: boolean;
    readonly schema?: Schema;
    readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

type OpenApiDocument = Parameters<typeof operationsOf>[0];

/** Their replies have no body that could be looked at. */
const bodiless: readonly string[] = ['head', 'options'];

/** Every operation that the document of a server's API describes, but those of replies without a body. */
export async function documentedOperations(site: string): Promise<readonly Operation[]> {
  const document = (await (await fetch(`${site}/api/docs-json`)).json()) as OpenApiDocument;
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const resolve = (schema: Schema): Schema => {
    const { $ref: reference, items, properties, anyOf, allOf, oneOf } = schema;
    if (reference !== undefined) return resolve(schemas[reference.split('/').at(-1) ?? ''] ?? {});
    const [only] = allOf ?? [];
    if (only !== undefined)
      return { ...resolve(only), ...(schema.example !== undefined && { example: schema.example }) };
    return {
      ...schema,
      ...(items && { items: resolve(items) }),
      ...((anyOf ?? oneOf) && { anyOf: (anyOf ?? oneOf ?? []).map(resolve) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolve(one)])),
      }),
    };
  };
  const operations = operationsOf<Described>(document).filter(({ method }) => !bodiless.includes(method));
  return operations.map(({ path, method, operation }) => {
    const form = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
    const { properties = {}, required = [] } = resolve(form);
    const binary = Object.entries(properties).find(([, { format }]) => format === 'binary');
    const file = binary?.[0] ?? null;
    return {
      method: method.toUpperCase(),
      path,
      file,
      maxFileBytes: binary?.[1]['x-max-bytes'] ?? null,
      parameters: [
        ...(operation.parameters ?? []).map(
          ({ name, in: place, required: isRequired = false, schema, content }) => {
            const described = resolve(schema ?? content?.['application/json']?.schema ?? {});
            return { name, place, isRequired, schema: described, isJson: isJson(described) };
          },
        ),
        ...Object.entries(properties)
          .filter(([name]) => name !== file)
          .map(([name, schema]) => ({
            name,
            place: 'form' as const,
            isRequired: required.includes(name),
            schema,
            isJson: isJson(schema),
          })),
      ],
    };
  });
}

/** Whoever makes these requests has no account or no key afterwards, or finds nobody let in. */
const endings: ReadonlySet<string> = new Set([
  'DELETE /api/v1/users/me',
  'POST /api/v1/users/me/api_key/regenerate',
  'POST /api/v1/realm/deactivate',
]);

/** What is read comes before what is changed, and that before what is taken away. */
const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** The operations after which the caller can still make requests, in the order in which they leave most of the others possible. */
export async function harmlessOperations(site: string): Promise<readonly Operation[]> {
  return (await documentedOperations(site))
    .filter(({ method, path }) => !endings.has(`${method} ${path}`))
    .sort((one, other) => order.indexOf(one.method) - order.indexOf(other.method));
}

function isJson({ type, anyOf }: Schema): boolean {
  return type === 'object' || type === 'array' || anyOf !== undefined || type === undefined;
}
