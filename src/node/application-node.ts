import type { ProjectionOperations } from '../operations/projection-operations.js';
import type { Authenticator } from '../http/caller.js';
import type { Snapshots } from '../stores/event-store/snapshots/snapshots.js';
import type { ServerNode } from './server-node.js';
import type { WorkerThreads } from './worker-threads.js';

/** What the application runs on: the present, as {@link ServerNode} keeps up with it, or a moment of the past. */
export interface ApplicationNode extends Pick<
  ServerNode,
  | 'configuration'
  | 'stores'
  | 'clock'
  | 'follower'
  | 'log'
  | 'models'
  | 'positions'
  | 'logger'
  | 'processName'
> {
  /** Where states of long streams are kept; absent: nowhere. */
  readonly snapshots?: Snapshots;
  /** Who lets people in; absent: their API keys do. */
  readonly authenticator?: Authenticator;
  /** What is done beside the thread that answers requests; absent: it is read where it is asked for, and nothing is made. */
  readonly threads?: WorkerThreads;
  /** What operators do with the read models; absent: there is nothing to operate. */
  readonly operations?: ProjectionOperations;
}
