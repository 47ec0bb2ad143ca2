import { Injectable } from '@nestjs/common';
import { DeadlineExceededError, type ReadControl } from '../stores/read-store/port.js';

/** Until when a query may work on what no store ends for it, such as the pages of the log. Where requests are answered: for ever. */
@Injectable()
export class QueryDeadline {
  /** To be called between two steps of the work. @throws what ends the query, when its time is over or nobody waits any more */
  throwIfOver(): void {}
}

/** That of the task of a reader thread. */
export class TaskDeadline extends QueryDeadline {
  constructor(private readonly control: Pick<ReadControl, 'deadline'>) {
    super();
  }

  override throwIfOver(): void {
    const deadline = this.control.deadline();
    if (deadline === null) return;
    deadline.signal.throwIfAborted();
    // A thread that is busy hears of its timers late.
    if (performance.now() > deadline.at) throw new DeadlineExceededError('Too late');
  }
}
