import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from './monitoring/logger.js';

/** Milliseconds: the reply is on its way by then. */
const PAUSE = 50;

/**
 * Does what must not show in how long a reply takes: whether an address has an account. It is done after the reply; what a process had
 * not begun when it died is lost, and is asked for again by its caller.
 */
export class AfterReply implements OnApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  /** What the task throws is logged: there is nobody left to be told. */
  run(task: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setTimeout(resolve, PAUSE))
      .then(task)
      .catch((error: unknown) =>
        this.logger.error({ err: error }, 'What was asked for could not be done after the reply'),
      )
      .finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
