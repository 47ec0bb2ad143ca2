import { eventually } from '../../support/eventually.js';

/** A client event. */
export interface ClientEvent {
  readonly id: number;
  readonly [member: string]: unknown;
}

/** A queue of client events that is read repeatedly. */
export class ToldEvents {
  private last = -1;
  private told = 0;

  constructor(
    /** Reads the events after an event id, without waiting for more. */
    private readonly ask: (lastEventId: number) => Promise<readonly ClientEvent[]>,
  ) {}

  /**
   * The events since the last call, up to the last expected one, for which it waits. They get consecutive numbers,
   * because their ids depend on log positions, which differ from run to run.
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
