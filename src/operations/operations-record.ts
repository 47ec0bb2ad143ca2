import { OPERATIONS_STREAM, type ModelOperationOrdered } from '../events/operations.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import { noState } from '../kernel/fold.js';
import type { EventMetadata, EventOf } from '../kernel/event.js';
import { stream } from '../kernel/decision.js';
import { requestMetadata, serverMetadata } from '../stores/event-store/command-metadata.js';
import { randomCommandId } from '../stores/event-store/event-id.js';
import { decideOrderOperation } from './operations.decide.js';

/** An operation, without who requests it. */
type OperationRequest = Omit<EventOf<typeof ModelOperationOrdered>['data'], 'operator'>;

/** The operator: an owner over HTTP, or an account of the operating system on the command line. */
export type Operator = { readonly userId: number; readonly client: string } | { readonly account: string };

const operations = stream(OPERATIONS_STREAM, noState);

/** Records operators' actions in the log. */
export class OperationsRecord {
  constructor(
    private readonly decisions: Pick<Decisions, 'record'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the event is in the log. */
  async note(request: OperationRequest, operator: Operator): Promise<void> {
    const data = { ...request, operator: accountOf(operator) };
    await this.decisions.record(this.metadataOf(operator), operations, () => decideOrderOperation(data));
  }

  private metadataOf(operator: Operator): EventMetadata {
    const now = this.clock.now();
    return 'account' in operator ? serverMetadata(randomCommandId(), now) : requestMetadata(operator, now);
  }
}

/** The operating system's account; null for an owner over HTTP. */
function accountOf(operator: Operator): string | null {
  return 'account' in operator ? operator.account : null;
}
