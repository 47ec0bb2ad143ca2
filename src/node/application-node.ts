import type { ProjectionOperations } from '../operations/projection-operations.js';
import type { Authenticator } from '../http/caller.js';
import type { SignalExchange } from '../realtime/signals/signal-exchange.js';
import type { Snapshots } from '../stores/event-store/snapshots/snapshots.js';
import type { ServerNode } from './server-node.js';
import type { WorkerThreads } from './worker-threads.js';

/**
 * What the application depends on: the present, which a {@link ServerNode} keeps up to date, or a moment of the
 * past.
 */
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
  /** Snapshots of long streams; absent: none are stored. */
  readonly snapshots?: Snapshots;
  /** Authenticates requests; absent: by API keys. */
  readonly authenticator?: Authenticator;
  /** Threads for long work; absent: queries run in the calling thread, and exports are not available. */
  readonly threads?: WorkerThreads;
  /** Exchanges signals with other processes; absent: there are none. */
  readonly signals?: SignalExchange;
  /** Operators' operations on the read models; absent: there are none. */
  readonly operations?: ProjectionOperations;
}
