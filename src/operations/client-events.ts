import type { OperationEvent } from '../events/operations.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** What operators do is for auditors. */
export const operationMappers: Mappers<OperationEvent> = {
  ModelOperationOrdered: noClientEvent,
};
