import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation of a document, with its method and path. */
export interface DocumentedOperation<Operation> {
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
