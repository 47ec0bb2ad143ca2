import Database from 'libsql';
import {
  WrongExpectedRevisionError,
  type AppendResult,
  type ExpectedRevision,
} from '../../../src/stores/event-store/port.js';
import type { SerializedEvent } from '../../../src/stores/event-store/validate-append.js';

interface Found {
  readonly revision: number;
  readonly position: number;
}

/** How a {@link StandInAppender} appends. */
export interface AppenderOptions {
  readonly onCommit: () => void;
  /**
   * Whether it remembers the ids of its events. The real server forgets old ones, and all of them when it starts, and then takes a retry
   * for another append.
   */
  readonly remembersIds: boolean;
}

/**
 * Appends to the stand-in's file like EventStoreDB: an id can be written again at the next revision, and under "any" the same ids are
 * recognised as a retry.
 */
export class StandInAppender {
  private readonly database: Database.Database;

  constructor(
    file: string,
    private readonly options: AppenderOptions,
  ) {
    this.database = new Database(file);
    // In the embedded log ids are unique; on the real server they are not.
    this.database.exec('DROP INDEX IF EXISTS events_by_id');
    this.database.exec('CREATE INDEX IF NOT EXISTS events_by_repeatable_id ON events (id)');
    this.database.exec('PRAGMA synchronous = FULL');
  }

  /** @throws WrongExpectedRevisionError */
  append(stream: string, expected: ExpectedRevision, events: readonly SerializedEvent[]): AppendResult {
    const tail = this.tailOf(stream);
    const first = this.firstRevision(stream, expected, { events, tail });
    if (first === tail + 1) return this.insert(stream, first, events);
    const earlier =
      first === undefined || !this.options.remembersIds ? undefined : this.earlier(stream, first, events);
    if (earlier !== undefined) return earlier;
    throw new WrongExpectedRevisionError(stream, expected, tail < 0 ? null : tail);
  }

  close(): void {
    this.database.close();
  }

  /** Undefined: only some of the events were written before. */
  private firstRevision(
    stream: string,
    expected: ExpectedRevision,
    { events, tail }: { readonly events: readonly SerializedEvent[]; readonly tail: number },
  ): number | undefined {
    if (expected === 'no-stream') return 0;
    if (expected !== 'any') return expected + 1;
    if (!this.options.remembersIds) return tail + 1;
    const known = events.map(({ id }) => this.revisionOf(stream, id));
    return known.every((revision) => revision === undefined) ? tail + 1 : known[0];
  }

  private earlier(
    stream: string,
    first: number,
    events: readonly SerializedEvent[],
  ): AppendResult | undefined {
    let result: Found | undefined;
    for (const [index, { id }] of events.entries()) {
      const revision = first + index;
      const row = this.database
        .prepare('SELECT id, position FROM events WHERE stream = ? AND revision = ?')
        .raw()
        .get(stream, revision) as [string, number] | undefined;
      if (row?.[0] !== id) return undefined;
      result = { revision, position: row[1] };
    }
    return result;
  }

  private insert(stream: string, first: number, events: readonly SerializedEvent[]): AppendResult {
    const [head] = this.database.prepare('SELECT max(position) FROM events').raw().get() as [number | null];
    const statement = this.database.prepare(
      'INSERT INTO events (position, stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.database.exec('BEGIN IMMEDIATE');
    try {
      for (const [index, { id, type, data, metadata }] of events.entries())
        statement.run((head ?? 0) + 1 + index, stream, first + index, id, type, data, metadata);
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
    this.options.onCommit();
    return { revision: first + events.length - 1, position: (head ?? 0) + events.length };
  }

  private tailOf(stream: string): number {
    const [tail] = this.database
      .prepare('SELECT max(revision) FROM events WHERE stream = ?')
      .raw()
      .get(stream) as [number | null];
    return tail ?? -1;
  }

  private revisionOf(stream: string, id: string): number | undefined {
    const row = this.database
      .prepare('SELECT revision FROM events WHERE id = ? AND stream = ? ORDER BY position DESC LIMIT 1')
      .raw()
      .get(id, stream) as [number] | undefined;
    return row?.[0];
  }
}
