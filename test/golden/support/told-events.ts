import { eventually } from '../../support/eventually.js';

/** What a client is told. */
export interface ClientEvent {
  readonly id: number;
  readonly [member: string]: unknown;
}

/** A queue of client events that is read on again and again. */
export class ToldEvents {
  private last = -1;
  private told = 0;

  constructor(
    /** Asks for the events after one, without waiting for more. */
    private readonly ask: (lastEventId: number) => Promise<readonly ClientEvent[]>,
  ) {}

  /**
   * What came since the last call, up to the last event, which is waited for. They are numbered anew, one after the other: an id follows
   * from a position of the log, which differs from run to run.
   */
  async until(isLast: (event: ClientEvent) => boolean): Promise<readonly ClientEvent[]> {
    const events: ClientEvent[] = [];
    const found = await eventually(
      async () => {
        events.push(...(await this.ask(this.last)));
        this.last = events.at(-1)?.id ?? this.last;
        return events;
      },
      (all) => all.some(isLast),
    );
    return found.map((event) => ({ ...event, id: this.told++ }));
  }
}
