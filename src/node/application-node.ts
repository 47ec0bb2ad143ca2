import type { ProjectionOperations } from '../operations/projection-operations.js';
import type { ModelOrdersOptions } from '../operations/model-orders.js';
import type { ProofWorks } from '../audit/proofs/proof-works.js';
import type { CaseTasks } from '../audit/cases/tasks/case-tasks.js';
import type { OwnDataExports } from '../audit/own-data/own-data-exports.js';
import type { RunExport } from '../audit/exports/export-task.js';
import type { PastLooks } from '../audit/past/past-looks.js';
import type { Authenticator } from '../http/caller.js';
import type { ReaderPool } from '../reader-threads/reader-pool.js';
import type { Snapshots } from '../stores/event-store/snapshots/snapshots.js';
import type { ServerNode } from './server-node.js';

/** What the application runs on: the present, as {@link ServerNode} keeps up with it, or a moment of the past. */
export interface ApplicationNode extends Pick<
  ServerNode,
  'configuration' | 'stores' | 'clock' | 'follower' | 'log' | 'models' | 'positions' | 'logger' | 'holder'
> {
  /** Where states of long streams are kept; absent: nowhere. */
  readonly snapshots?: Snapshots;
  /** Who lets people in; absent: their API keys do. */
  readonly authenticator?: Authenticator;
  /** Look into the past of the log; absent: nobody can. */
  readonly pastLooks?: PastLooks;
  /** Verify the log and make proofs; absent: nobody can. */
  readonly proofWorks?: ProofWorks;
  /** Look through what cases cover; absent: nobody can. */
  readonly caseTasks?: CaseTasks;
  /** Make copies of what is stored about people; absent: nobody can. */
  readonly ownData?: OwnDataExports;
  /** Makes exports of the organization; absent: none are made. */
  readonly runExport?: RunExport;
  /** Reads what may take long; absent: it is read where it is asked for. */
  readonly readers?: ReaderPool;
  /** What operators do with the read models; absent: there is nothing to operate. */
  readonly operations?: ProjectionOperations;
  /** Compares a read model with one that is rebuilt; absent: there is none to compare. */
  readonly verifyModel?: ModelOrdersOptions['verify'];
}
