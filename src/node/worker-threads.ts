import { join } from 'node:path';
import { CaseTasks } from '../audit/cases/tasks/case-tasks.js';
import type { RunExport } from '../audit/exports/export-task.js';
import { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import { PastLooks } from '../audit/past/past-looks.js';
import { ProofWorks } from '../audit/proofs/proof-works.js';
import type { Configuration } from '../config.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { Clock } from '../kernel/clock.js';
import type { ModelOrdersOptions } from '../operations/model-orders.js';
import { ReaderObservations } from '../reader-threads/reader-observations.js';
import { ReaderPool } from '../reader-threads/reader-pool.js';
import { storeConfigurationOf } from '../stores/store-configuration.js';
import { caseTaskInThread, ownDataInThread } from './case-task-in-thread.js';
import { exportInThread } from './export-in-thread.js';
import { lookInThread } from './look-in-thread.js';
import { proofInThread } from './proof-in-thread.js';
import { verifyInThread } from './verify-in-thread.js';

/** What the threads of a process go by. */
export interface WorkerThreadsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Up to where this process has followed the log. */
  readonly position: () => number | null;
}

/** What a process does beside the thread that answers requests. A thread starts when something is asked of it. */
export class WorkerThreads {
  /** Read what may take long. */
  readonly readers: ReaderPool;
  readonly observations = new ReaderObservations();
  /** Look into the past of the log, each in a thread of its own. */
  readonly pastLooks: PastLooks;
  /** Verify the log and make proofs, in a thread. */
  readonly proofWorks: ProofWorks;
  /** Look through what cases cover, each in a thread of its own. */
  readonly caseTasks: CaseTasks;
  /** Make copies of what is stored about people. */
  readonly ownData: OwnDataExports;
  /** Makes exports of the organization, each in a thread of its own. */
  readonly runExport: RunExport;
  /** Compares a read model with one that is rebuilt. */
  readonly verifyModel: ModelOrdersOptions['verify'];

  constructor(configuration: Configuration, { clock, logger, position }: WorkerThreadsOptions) {
    const { dataDirectory, readers } = configuration;
    this.readers = new ReaderPool({
      composition: {
        module: new URL('./reader-node.js', import.meta.url).href,
        configuration: storeConfigurationOf(configuration),
      },
      threads: readers.threads,
      timeout: readers.timeoutSeconds * 1000,
      position,
      logger,
      observer: this.observations,
    });
    this.verifyModel = verifyInThread(storeConfigurationOf(configuration));
    this.pastLooks = new PastLooks(lookInThread(configuration));
    this.proofWorks = new ProofWorks(proofInThread(configuration, logger), clock);
    this.caseTasks = new CaseTasks({
      run: caseTaskInThread(configuration),
      clock,
      folder: join(dataDirectory, 'bundles'),
    });
    this.ownData = new OwnDataExports({
      run: ownDataInThread(configuration),
      clock,
      folder: join(dataDirectory, 'own-data'),
    });
    this.runExport = exportInThread(configuration);
  }

  /** Ends them, and resolves when their stores are closed. */
  async close(): Promise<void> {
    const { readers, pastLooks, proofWorks, caseTasks, ownData } = this;
    await Promise.all([readers, pastLooks, proofWorks, caseTasks, ownData].map((threads) => threads.close()));
  }
}
