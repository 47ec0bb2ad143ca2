import { Injectable } from '../runtime/nest-decorators.js';
import { DeadlineExceededError, type ReadControl } from '../stores/read-store/port.js';

/** The deadline of a query, for work that no store interrupts, such as reading pages of the log. On the request thread there is none. */
@Injectable()
export class QueryDeadline {
  /**
   * To be called between two steps of the work. @throws DeadlineExceededError after the deadline; the reason of the cancellation when the
   * client has disconnected
   */
  throwIfOver(): void {}
}

/** The deadline of a reader thread's task. */
export class TaskDeadline extends QueryDeadline {
  constructor(private readonly control: Pick<ReadControl, 'deadline'>) {
    super();
  }

  override throwIfOver(): void {
    const deadline = this.control.deadline();
    if (deadline === null) return;
    deadline.signal.throwIfAborted();
    // The timer of a busy thread fires late.
    if (performance.now() > deadline.at) throw new DeadlineExceededError('Too late');
  }
}
