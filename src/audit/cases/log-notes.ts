import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';

/** What {@link LogNotes} works with. */
export interface LogNotesOptions<Note> {
  readonly store: Pick<EventStore, 'readAll'>;
  /** The types of the events that are noted: few, as a log has few of them. */
  readonly types: readonly string[];
  readonly read: (events: readonly PersistedEvent[]) => Promise<readonly Note[]>;
}

/** What is noted of some events of the log, in log order: the log is read once, and from there on whenever somebody asks. */
export class LogNotes<Note extends { readonly position: number }> {
  private readonly notes: Note[] = [];
  private position: number | null = null;
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly options: LogNotesOptions<Note>) {}

  /** Those of the events up to and including a position, which the log has. */
  async through(position: number): Promise<readonly Note[]> {
    // One after another: two that read at once would note everything twice.
    const read = this.reading.then(
      () => this.readOn(position),
      () => this.readOn(position),
    );
    this.reading = read;
    await read;
    return this.notes.filter((note) => note.position <= position);
  }

  private async readOn(position: number): Promise<void> {
    if (this.position !== null && this.position >= position) return;
    const { store, types, read } = this.options;
    for await (const page of store.readAll({ after: this.position, types })) {
      this.notes.push(...(await read(page.events)));
      this.position = page.position;
    }
  }
}
