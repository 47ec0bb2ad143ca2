import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from './monitoring/logger.js';

/** Milliseconds after which the reply has been sent. */
const PAUSE = 50;

/**
 * Runs tasks after the reply has been sent, so that the reply's duration does not reveal what they do, such
 * as whether an address has an account. Tasks that have not started when the process dies are lost; the
 * caller sends the request again.
 */
export class AfterReply implements OnApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  /** Errors of the task are logged, because no client is left to receive them. */
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
