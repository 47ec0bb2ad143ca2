import type { EventLog } from '../../../stores/event-store/event-log.js';
import { coveredMessages, type CoverageInput, type CoveredMessage } from '../covered-messages.js';
import { MessageLocations } from '../message-locations.js';
import type { CaseTaskRun } from './case-task.js';

/** Reads the messages of a case for a task. */
export class CaseReader {
  unreadable = 0;

  private constructor(
    private readonly log: EventLog,
    private readonly run: CaseTaskRun,
    /** Position of the end of the log when the task began. */
    readonly through: number,
  ) {}

  static async begin(log: EventLog, run: CaseTaskRun): Promise<CaseReader> {
    return new CaseReader(log, run, (await log.store.head()) ?? 0);
  }

  /** Yields the messages in the order of sending; throws when the task is aborted. */
  messages(
    covered: Pick<CoverageInput, 'scope' | 'words' | 'after'>,
    share = 1,
  ): AsyncGenerator<CoveredMessage> {
    const { log, run, through } = this;
    return coveredMessages(
      { log, locations: new MessageLocations(log) },
      {
        ...covered,
        through,
        onProgress: async (position) => {
          await run.report(share * (through === 0 ? 1 : position / through));
          run.signal.throwIfAborted();
        },
        onUnreadable: () => (this.unreadable += 1),
      },
    );
  }
}

/** The people involved in a message: who wrote or deleted it, and the members of its direct conversation. */
export function peopleOf({ senderId, versions, deletedBy, locations }: CoveredMessage): readonly number[] {
  const actors = [senderId, deletedBy, ...versions.map(({ actorId }) => actorId)];
  const partners = locations.flatMap(({ place }) => (place.type === 'direct' ? place.userIds : []));
  return [...new Set([...actors.filter((id) => id !== null), ...partners])];
}
