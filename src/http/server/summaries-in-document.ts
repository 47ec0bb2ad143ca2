import type { OpenAPIObject } from '@nestjs/swagger';
import summaries from './data/operation-summaries.json' with { type: 'json' };
import { operationsOf } from './operations-of.js';

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
