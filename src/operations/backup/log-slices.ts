import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import Database from 'libsql';
import { checkSchema, prepareSchema } from '../../stores/event-store/embedded/schema.js';
import { openingFile } from '../../stores/sqlite/database-file.js';
import { BackupRefusedError, type LogSlice } from './manifest.js';

/** The most events in one slice: about 30 MB before compression. */
const SLICE_EVENTS = 50_000;

const COLUMNS = 'position, stream, revision, id, type, data, metadata';
const TABLE =
  'CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT, data TEXT, metadata TEXT) STRICT';

/** The positions of a slice that is not copied yet. */
type SliceBounds = Pick<LogSlice, 'after' | 'through' | 'events' | 'lastId'>;

/** The end of a log, and the log's own record of its end at the same moment. */
interface LogEnd {
  readonly position: number;
  /** The bytes of the record; null: there is no record yet. */
  readonly record: Uint8Array | null;
}

/**
 * Reads the rows of the embedded log's file for a backup, as they are stored. The server may write to the file
 * meanwhile.
 */
export class LogRows {
  private constructor(
    private readonly database: Database.Database,
    private readonly file: string,
  ) {}

  /**
   * @throws BackupRefusedError for a log in an earlier version's format; starting this version migrates it
   * @throws UnreadableFileError
   */
  static open(file: string): LogRows {
    return openingFile(file, () => {
      const database = new Database(file, { timeout: 10_000 });
      try {
        return LogRows.of(database, file);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  private static of(database: Database.Database, file: string): LogRows {
    database.exec('PRAGMA query_only = 1');
    const record = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'log_end'").raw().get();
    if (checkSchema(database, file) > 0 && record !== undefined) return new LogRows(database, file);
    throw new BackupRefusedError(
      `The event log ${file} is of an earlier version: start this version of the server once, or back up with that one.`,
    );
  }

  close(): void {
    this.database.close();
  }

  /** Reads the last position and the record in one transaction. */
  end(): LogEnd {
    const [position, record] = this.database
      .prepare('SELECT (SELECT max(position) FROM events), (SELECT CAST(record AS BLOB) FROM log_end)')
      .raw()
      .get() as [number | null, Uint8Array | null];
    return { position: position ?? 0, record };
  }

  /** Decides which slices of an earlier backup are kept, and which new slices are copied after them. */
  plan(earlier: readonly LogSlice[], position: number): { kept: readonly LogSlice[]; added: SliceBounds[] } {
    const kept = [...earlier];
    const isOurs = ({ through, lastId }: LogSlice): boolean => this.idAt(through) === lastId;
    while (kept.length > 0 && !isOurs(kept.at(-1)!)) kept.pop();
    // Small slices are merged with the new events, so that there are few slices however often backups are made.
    let fresh = this.count(kept.at(-1)?.through ?? 0, position);
    while (
      fresh > 0 &&
      kept.length > 0 &&
      kept.at(-1)!.events <= fresh &&
      kept.at(-1)!.events < SLICE_EVENTS
    ) {
      fresh += kept.pop()!.events;
    }
    return { kept, added: this.bounds(kept.at(-1)?.through ?? 0, position) };
  }

  /** Copies a slice into a separate file. */
  copy({ after, through }: SliceBounds, target: string): void {
    const slice = new Database(target);
    try {
      slice.exec(TABLE);
      slice.prepare('ATTACH ? AS log').run(this.file);
      slice
        .prepare(
          `INSERT INTO main.events SELECT ${COLUMNS} FROM log.events WHERE position > ? AND position <= ?`,
        )
        .run(after, through);
    } finally {
      slice.close();
    }
  }

  private bounds(after: number, position: number): SliceBounds[] {
    const bounds: SliceBounds[] = [];
    const next = this.database
      .prepare(
        `SELECT max(position), count(*) FROM (SELECT position FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ${SLICE_EVENTS})`,
      )
      .raw();
    for (let from = after; ; from = bounds.at(-1)!.through) {
      const [through, events] = next.get(from, position) as [number | null, number];
      if (through === null) return bounds;
      bounds.push({ after: from, through, events, lastId: this.idAt(through)! });
    }
  }

  private count(after: number, through: number): number {
    const count = this.database.prepare('SELECT count(*) FROM events WHERE position > ? AND position <= ?');
    return (count.raw().get(after, through) as [number])[0];
  }

  private idAt(position: number): string | null {
    const row = this.database.prepare('SELECT id FROM events WHERE position = ?').raw().get(position);
    return (row as [string] | undefined)?.[0] ?? null;
  }
}

/** The parts of the log that {@link restoreLog} creates. */
interface SlicesToRestore {
  readonly slices: readonly LogSlice[];
  /** Writes the contents of a slice to a file. */
  readonly fetch: (slice: LogSlice, file: string) => Promise<void>;
  readonly record: Uint8Array | null;
}

/** Creates an event log from slices, in order. */
export async function restoreLog(file: string, { slices, fetch, record }: SlicesToRestore): Promise<void> {
  const slicePath = `${file}.slice`;
  if (existsSync(file)) await rm(file);
  const database = new Database(file);
  try {
    prepareSchema(database, file);
    for (const slice of slices) {
      await fetch(slice, slicePath);
      appendSlice(database, slicePath);
      await rm(slicePath);
    }
    if (record !== null) {
      database
        .prepare('INSERT INTO log_end (only, record) VALUES (1, CAST(? AS TEXT))')
        .run([Buffer.from(record)]);
    }
  } finally {
    database.close();
    await rm(slicePath, { force: true });
  }
}

function appendSlice(database: Database.Database, file: string): void {
  database.prepare('ATTACH ? AS slice').run(file);
  try {
    database.exec(`INSERT INTO main.events SELECT ${COLUMNS} FROM slice.events ORDER BY position`);
  } finally {
    database.exec('DETACH slice');
  }
}
