import type { TaggingStarted } from '../events/audit.js';
import type { ModelOperationOrdered } from '../events/operations.js';
import type { EventOf } from '../kernel/event.js';

/** An operator requests an operation. */
export function decideOrderOperation(
  data: EventOf<typeof ModelOperationOrdered>['data'],
): readonly EventOf<typeof ModelOperationOrdered>[] {
  return [{ type: 'ModelOperationOrdered', data }];
}

/** From now on, or from an earlier event on, the events of the log carry tags of a key. */
export function decideStartTagging(
  data: EventOf<typeof TaggingStarted>['data'],
): readonly EventOf<typeof TaggingStarted>[] {
  return [{ type: 'TaggingStarted', data }];
}
