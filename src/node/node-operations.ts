import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { ProjectionHost } from '../../projections/engine/projection-host.js';
import { projections } from '../../projections/registry.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import { ConsistentLog } from '../http/consistency.js';
import { Decisions } from '../http/decisions.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { Clock } from '../kernel/clock.js';
import { ActsOrdered } from '../operations/elsewhere/acts-ordered.js';
import { ActsTaken } from '../operations/elsewhere/acts-taken.js';
import { carryOut } from '../operations/elsewhere/acts.js';
import {
  ReportedStates,
  StateReporter,
  type KeptState,
  type KeptStateSignal,
} from '../operations/elsewhere/kept-state.js';
import { SharedOperations } from '../operations/elsewhere/shared-operations.js';
import { OperationsRecord } from '../operations/operations-record.js';
import { ProjectionOperations } from '../operations/projection-operations.js';
import { SignalExchange } from '../realtime/signals/signal-exchange.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { Stores } from '../stores/stores.js';
import type { BackgroundRunners } from './background-runners.js';

/** The parts of a process that {@link NodeOperations} needs. */
interface OperatedNode {
  readonly stores: Stores;
  /** The log to which requests append. */
  readonly log: ConsistentLog;
  readonly positions: ModelPositions;
  readonly follower: DirectoryFollower;
  readonly background: BackgroundRunners;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Identifies this process among those on the same stores. */
  readonly processName: string;
}

/** Operators' operations on the read models and reactors of a process, and on those of the other processes. */
export class NodeOperations {
  /** Exchanges signals with the other processes. */
  readonly signals: SignalExchange;
  /** Operations on everything, whichever process keeps it. */
  readonly operations: ProjectionOperations;
  private readonly states = new ReportedStates();

  /** @param host null: this process does not run the projections */
  constructor(
    private readonly node: OperatedNode,
    private readonly host: ProjectionHost | null,
  ) {
    const { stores, positions, clock, logger, processName: self } = node;
    this.signals = new SignalExchange({ store: stores.signalStore, clock, logger, self });
    this.signals.receive<KeptStateSignal>('kept-state', (report) => this.states.take(report));
    const reactors = (): BackgroundRunners['reactors'] => node.background.reactors;
    const own = { stores, projections, positions, host, clock, reactors };
    const here = new ProjectionOperations(own);
    const { signals, states } = this;
    new ActsTaken({ signals, self, carryOut: (act, report) => carryOut(here, act, report), logger });
    this.operations = new SharedOperations(own, { states, acts: new ActsOrdered(signals) });
  }

  /** Records operators' operations. */
  get record(): OperationsRecord {
    const { node } = this;
    const { log } = node.stores;
    const admit: ConsistentLog['admit'] = (events, metadata) => node.log.admit(events, metadata);
    // An operator may have paused what a reply would wait for.
    const waitingForNothing = new ConsistentLog(log, []);
    const streams = new FoldedStreams(log, { admit });
    return new OperationsRecord(
      new Decisions(streams, node.follower, node.clock, waitingForNothing),
      node.clock,
    );
  }

  /** Exchanges signals with the other processes, among them what each of them keeps, until the signal is aborted. */
  share(signal: AbortSignal): void {
    const { node, host } = this;
    this.signals.start();
    if (node.stores.signalStore === null) return;
    const read = (): KeptState => ({
      models: node.positions.status(),
      builds: host?.builds.progress() ?? [],
      reactors: node.background.status(),
    });
    new StateReporter(this.signals, node.processName).run(read, signal);
  }
}
