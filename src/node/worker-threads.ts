import { join } from 'node:path';
import { CaseTasks } from '../audit/cases/tasks/case-tasks.js';
import type { RunExport } from '../audit/exports/contents/format.js';
import { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import { ProofTasks } from '../audit/proofs/proof-tasks.js';
import type { Configuration } from '../config.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { Clock } from '../kernel/clock.js';
import type { ModelCommandsOptions } from '../operations/model-commands.js';
import { ReaderObservations } from '../reader-threads/reader-observations.js';
import { ReaderPool } from '../reader-threads/reader-pool.js';
import { storeConfigurationOf } from '../stores/store-configuration.js';
import { caseTaskInThread, exportInThread, ownDataInThread } from './task-in-thread.js';
import { proofInThread } from './proof-in-thread.js';
import { verifyInThread } from './verify-in-thread.js';

/** Dependencies of the worker threads. */
interface WorkerThreadsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The position up to which this process has followed the log. */
  readonly position: () => number | null;
}

/** The threads of a process for work besides answering requests. Each starts on first use. */
export class WorkerThreads {
  /** Run long queries. */
  readonly readers: ReaderPool;
  readonly observations = new ReaderObservations();
  /** Verify the log and make proofs, in a separate thread. */
  readonly proofTasks: ProofTasks;
  /** Run tasks about cases, each in a separate thread. */
  readonly caseTasks: CaseTasks;
  /** Make copies of the data that is stored about people. */
  readonly ownData: OwnDataExports;
  /** Makes exports of the organization, each in a separate thread. */
  readonly runExport: RunExport;
  /** Compares a read model with a rebuilt one. */
  readonly verifyModel: ModelCommandsOptions['verify'];

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
    this.proofTasks = new ProofTasks(proofInThread(configuration, logger), clock);
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

  /** Stops the threads; resolves when their stores are closed. */
  async close(): Promise<void> {
    const { readers, proofTasks, caseTasks, ownData } = this;
    await Promise.all([readers, proofTasks, caseTasks, ownData].map((threads) => threads.close()));
  }
}
