import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { checkSchema, prepareSchema } from '../../stores/event-store/embedded/schema.js';
import { BackupRefusedError, type LogSlice } from './manifest.js';

/** As many events at most stand in one slice: some 30 MB, before they are compressed. */
const SLICE_EVENTS = 50_000;

const COLUMNS = 'position, stream, revision, id, type, data, metadata';
const TABLE =
  'CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT, data TEXT, metadata TEXT) STRICT';

/** Where a slice begins and ends, before it is copied. */
export type SliceBounds = Pick<LogSlice, 'after' | 'through' | 'events' | 'lastId'>;

/** How far a log had come, and what it said of its end then. */
export interface LogEnd {
  readonly position: number;
  /** The record's bytes; null: there is none yet. */
  readonly record: Uint8Array | null;
}

/** The embedded log's file, as a backup reads it: rows as they are stored, while the server goes on to write. */
export class LogRows {
  private constructor(
    private readonly database: Database.Database,
    private readonly file: string,
  ) {}

  /** @throws BackupRefusedError for a log of an earlier version, which a start of this one brings up to date */
  static open(file: string): LogRows {
    const database = new Database(file, { timeout: 10_000 });
    database.exec('PRAGMA query_only = 1');
    const record = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'log_end'").raw().get();
    if (checkSchema(database, file) > 0 && record !== undefined) return new LogRows(database, file);
    database.close();
    throw new BackupRefusedError(
      `The event log ${file} is of an earlier version: start this version of the server once, or back up with that one.`,
    );
  }

  close(): void {
    this.database.close();
  }

  /** Both as of one moment. */
  end(): LogEnd {
    const [position, record] = this.database
      .prepare('SELECT (SELECT max(position) FROM events), (SELECT CAST(record AS BLOB) FROM log_end)')
      .raw()
      .get() as [number | null, Uint8Array | null];
    return { position: position ?? 0, record };
  }

  /** Which slices of an earlier backup can stay, and what follows them is to be copied. */
  plan(earlier: readonly LogSlice[], position: number): { kept: readonly LogSlice[]; added: SliceBounds[] } {
    const kept = [...earlier];
    const isOurs = ({ through, lastId }: LogSlice): boolean => this.idAt(through) === lastId;
    while (kept.length > 0 && !isOurs(kept.at(-1)!)) kept.pop();
    // Small slices are merged with what is new, so that there are few of them however often backups are made.
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

  /** Copies one into a file of its own. */
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

/** What {@link restoreLog} puts together. */
export interface SlicesToRestore {
  readonly slices: readonly LogSlice[];
  /** Writes what a slice holds to a file. */
  readonly fetch: (slice: LogSlice, file: string) => Promise<void>;
  readonly record: Uint8Array | null;
}

/** Makes an event log of slices, one after the other. */
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

/** Where the parts of a backup that is being made lie: its folder is emptied at the beginning of each. */
export function stagingFolder(dataDirectory: string): string {
  return join(dataDirectory, 'backup-staging');
}
