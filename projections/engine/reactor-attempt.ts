import type { RecordedEvent } from '../../src/kernel/event.js';
import { RepeatedReactions } from '../../src/stores/event-store/earlier-commands.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import { FencedError } from '../../src/stores/read-store/port.js';
import { isTemporary, PoisonEventError } from './poison-event.js';
import { failuresOf } from './reactor-partitions.js';
import type { Reactor } from './reactor.js';

/** One attempt of a reactor to handle the events after its checkpoint. An earlier one may have handled some of them. */
export class ReactorAttempt {
  private constructor(
    private readonly reactor: Reactor,
    private readonly log: EventLog,
    private readonly repeated: RepeatedReactions,
  ) {}

  /** To be called before the first event is handled, when no other attempt goes on. */
  static async begin(reactor: Reactor, log: EventLog): Promise<ReactorAttempt> {
    return new ReactorAttempt(reactor, log, await RepeatedReactions.begin(log));
  }

  /**
   * Handles the events of one command.
   *
   * @returns the errors: see {@link failuresOf}
   */
  actOn(events: readonly RecordedEvent[]): Promise<ReadonlyMap<RecordedEvent, unknown>> {
    // An earlier attempt may have handled them in another order.
    const { position } = events[0]!;
    const act = (event: RecordedEvent): Promise<void> =>
      this.repeated.handle({ id: event.id, position }, () => this.act(event));
    return failuresOf(this.reactor, events, act);
  }

  private async act(event: RecordedEvent): Promise<void> {
    const act = async (): Promise<void> => this.reactor.on[event.type]?.(event);
    try {
      await (this.log.tracer?.reaction(this.reactor.name, event, act) ?? act());
    } catch (error) {
      // A FencedError may come from a model that the handler writes to; then this reactor's own lease is not affected.
      if (isTemporary(error) && !(error instanceof FencedError)) throw error;
      throw new PoisonEventError(event, error);
    }
  }
}
