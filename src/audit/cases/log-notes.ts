import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';

/** Options of {@link LogNotes}. */
interface LogNotesOptions<Note> {
  readonly store: Pick<EventStore, 'readAll'>;
  /** The types of the events of which notes are kept. They should be rare in a log. */
  readonly types: readonly string[];
  readonly read: (events: readonly PersistedEvent[]) => Promise<readonly Note[]>;
}

/**
 * Notes about some events of the log, in log order. The first request reads the whole log, each later one only what is
 * new.
 */
export class LogNotes<Note extends { readonly position: number }> {
  private readonly notes: Note[] = [];
  private position: number | null = null;
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly options: LogNotesOptions<Note>) {}

  /** The notes about events up to and including a position, which must be in the log. */
  async through(position: number): Promise<readonly Note[]> {
    // One after another: two reads at once would note everything twice.
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
