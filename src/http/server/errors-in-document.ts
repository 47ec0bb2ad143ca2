import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorFields, ErrorRow } from '../../kernel/error-rows/error-row.js';
import { errorTable, type ErrorName } from '../../kernel/errors.js';
import found from './data/operation-errors.json' with { type: 'json' };
import { operationsOf } from './operations-in-document.js';

/** The errors that requests may end with, by their names in the error table. */
interface OperationErrors {
  /** Errors of any request. */
  readonly everywhere: readonly ErrorName[];
  /** Errors of any request that needs credentials. */
  readonly authenticated: readonly ErrorName[];
  /** Further errors, by controller and method. */
  readonly operations: Readonly<Record<string, readonly ErrorName[]>>;
}

/**
 * Errors that always occur together, by their abbreviation in the lists of operations: the first one with a
 * plus.
 */
const groups: Readonly<Record<string, readonly string[]>> = found.groups;

/**
 * The findings of `test/support/operation-errors.ts` in the source, each list in alphabetical order. `npm run
 * golden:update` writes them, and the OpenAPI document that is made from them when it is run once more.
 *
 * @throws Error at start-up, for a name that is not in the error table
 */
export const operationErrors: OperationErrors = {
  everywhere: rowsOf(found.everywhere),
  authenticated: rowsOf(found.authenticated),
  operations: Object.fromEntries(
    Object.entries<readonly string[]>(found.operations).map(([operation, names]) => [
      operation,
      rowsOf(names),
    ]),
  ),
};

function rowsOf(names: readonly string[]): readonly ErrorName[] {
  return names
    .flatMap((name) => groups[name] ?? [name])
    .map(rowOf)
    .sort();
}

function rowOf(name: string): ErrorName {
  if (!Object.hasOwn(errorTable, name)) throw new Error(`There is no error "${name}"`);
  return name as ErrorName;
}

interface Operation {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly in: string }[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}

/** An error response in the document. */
interface Refusal {
  readonly description: string;
  readonly content: typeof content;
}

/** Names of errors in the table, by status. */
type RowsByStatus = ReadonlyMap<number, readonly ErrorName[]>;

/** Errors of reading parameters; an operation without parameters does not have them. */
const ofParameters: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'confusingParameter',
  'missingParameter',
  'parameterNull',
]);

/** The members of every error; some codes add fields. */
const errorSchema = {
  type: 'object',
  properties: {
    result: { type: 'string', enum: ['error'] },
    code: { type: 'string', example: 'BAD_REQUEST' },
    msg: { type: 'string' },
  },
  required: ['result', 'msg'],
};

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/**
 * Lists the errors that each operation can end with, by status: rows of the error table. Errors that any
 * request can end with are in the document once; operations without other errors of that status refer to
 * them.
 */
export function describeErrors(document: OpenAPIObject): OpenAPIObject {
  const { everywhere, authenticated } = operationErrors;
  const general = byStatus([...everywhere, ...authenticated]);
  for (const { operation } of operationsOf<Operation>(document)) {
    const { operationId = '', security, responses } = operation;
    const own = operationErrors.operations[operationId] ?? [];
    const rows = byStatus([
      ...everywhere,
      ...(security === undefined ? [] : authenticated),
      ...(takesParameters(operation) ? own : own.filter((name) => !ofParameters.has(name))),
    ]);
    for (const [status, names] of rows) {
      const isGeneral = names.every((name) => general.get(status)?.includes(name));
      responses[status] = isGeneral
        ? { $ref: `#/components/responses/${responseName(status)}` }
        : refusal(names);
    }
  }
  const { components } = document;
  const responses = Object.fromEntries(
    [...general].map(([status, names]) => [responseName(status), refusal(names)]),
  );
  return {
    ...document,
    components: { ...components, schemas: { ...components?.schemas, Error: errorSchema }, responses },
  };
}

function takesParameters({ parameters = [], requestBody }: Operation): boolean {
  return requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query');
}

function responseName(status: number): string {
  return `Refused${status}`;
}

function byStatus(names: readonly ErrorName[]): RowsByStatus {
  const rows = new Map<number, ErrorName[]>();
  for (const name of names) {
    const { status } = errorTable[name];
    const known = rows.get(status);
    if (known === undefined) rows.set(status, [name]);
    else known.push(name);
  }
  return rows;
}

function refusal(names: readonly ErrorName[]): Refusal {
  const lines = names.map((name) => {
    const { code, message } = errorTable[name] as ErrorRow<ErrorFields>;
    return `- ${code === '' ? '' : `\`${code}\` `}${message(placeholder('reason'))}`;
  });
  return { description: ['A refusal:', ...new Set(lines)].join('\n'), content };
}

/** A placeholder for fields in an error's message: `{stream}` for the field with that name. */
function placeholder(name: string): ErrorFields {
  const asText = (): string => `{${name}}`;
  return new Proxy(
    {},
    { get: (_fields, field) => (typeof field === 'symbol' ? asText : placeholder(field)) },
  );
}
