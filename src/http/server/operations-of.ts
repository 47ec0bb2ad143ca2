import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation of a document, and what it is asked by. */
export interface DocumentedOperation<Operation> {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: Operation;
}

/** Every operation of a document; its type is what the caller reads and writes of it. */
export function operationsOf<Operation>({ paths }: OpenAPIObject): DocumentedOperation<Operation>[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}
