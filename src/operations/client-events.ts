import type { OperationEvent } from '../events/operations.js';
import { noClientEvent, type Mappers } from '../realtime/mapper.js';

/** Clients get no events about what operators do: those are for auditors only. */
export const operationMappers: Mappers<OperationEvent> = {
  ModelOperationOrdered: noClientEvent,
};
