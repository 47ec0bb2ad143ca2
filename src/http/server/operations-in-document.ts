import type { OpenAPIObject } from '@nestjs/swagger';
import type { PermissionRow } from '../../access/permission-row.js';
import { permissionTable } from '../../access/permission-table.js';
import { MAX_PATH_PARAMETER_LENGTH } from './limits.js';
import summaries from './data/operation-summaries.json' with { type: 'json' };

/** An operation of a document, with its method and path. */
interface DocumentedOperation<Operation> {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: Operation;
}

/** Every operation of a document; the type parameter is the part that the caller reads and writes. */
export function operationsOf<Operation>({ paths }: OpenAPIObject): DocumentedOperation<Operation>[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}

/** What the documentation page says that an operation does. */
export interface OperationSummary {
  /** One sentence, without the full stop. */
  readonly summary: string;
  /** Further sentences; empty where there are none. */
  readonly description: string;
}

/** By controller and method, such as `MessagesController_send`. */
const summaryOf: Readonly<Record<string, OperationSummary>> = summaries;

/**
 * Adds a summary and a description to each operation. They are the comment above the controller's method: `npm run golden:update` copies it into
 * `data/operation-summaries.json`, and `test/golden/operation-summaries.spec.ts` fails while the two differ.
 */
export function describeOperations(document: OpenAPIObject): OpenAPIObject {
  for (const { operation } of operationsOf<{ readonly operationId?: string }>(document)) {
    Object.assign(operation, summaryOf[operation.operationId ?? '']);
  }
  return document;
}

const API_PREFIX = '/api/v1';

/** Adds to each operation of the document which permissions it needs, and what they depend on. */
export function describePermissions(document: OpenAPIObject): OpenAPIObject {
  for (const { path, method, operation } of operationsOf<{ description?: string }>(document)) {
    const name = `${method.toUpperCase()} ${path.replace(API_PREFIX, '')}`;
    const permissions = Object.values<PermissionRow>(permissionTable).filter(({ operations }) =>
      operations.some((one) => one === name),
    );
    if (permissions.length === 0) continue;
    const lines = permissions.map(({ permits, basis }) => `- ${permits} (${basis.join(', ')})`);
    operation.description = [operation.description ?? '', 'Permissions that it checks:', ...lines]
      .join('\n')
      .trim();
  }
  return document;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { type?: string; maxLength?: number; 'x-length-unit'?: string };
}

interface Operation {
  parameters?: readonly Parameter[];
}

/** Adds the maximum length to each text in a path, as the router counts it. */
export function describePathTexts(document: OpenAPIObject): OpenAPIObject {
  const parameters = operationsOf<Operation>(document).flatMap(({ operation }) => operation.parameters ?? []);
  for (const { in: place, schema } of parameters) {
    if (place !== 'path' || schema?.type !== 'string') continue;
    schema.maxLength = MAX_PATH_PARAMETER_LENGTH;
    schema['x-length-unit'] = 'UTF-16 units';
  }
  return document;
}

/**
 * Renames the wildcard at the end of a path to the name that its endpoint uses (see `PathRemainder`): Nest's
 * OpenAPI module calls it `path` and lists the wildcard as a separate parameter.
 */
export function nameWildcards(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.values(item as Record<string, Operation>);
    const name = operations.map(remainderName).find((found) => found !== null);
    if (name == null) return [path, item] as const;
    for (const operation of operations) {
      operation.parameters = operation.parameters?.filter((parameter) => parameter.name !== '*') ?? [];
    }
    return [path.replace(/\{path\}$/, `{${name}}`), item] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function remainderName({ parameters = [] }: Operation): string | null {
  if (!parameters.some(({ name }) => name === '*')) return null;
  return parameters.findLast((parameter) => parameter.in === 'path' && parameter.name !== '*')?.name ?? null;
}
