import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Database from 'libsql';
import type { JsonObject } from '../../../kernel/json.js';
import type { InspectedPage, LogDamage, LogInspection } from '../inspection.js';
import type { PersistedEvent } from '../port.js';
import { DamagedFileError, openingFile } from '../../sqlite/database-file.js';
import { BUSY_TIMEOUT } from './log-file.js';
import { checkSchema } from './schema.js';
import { expand } from './shorthand.js';

const PAGE = 512;

/** Selected as bytes, because damaged text would not arrive unchanged. */
const COLUMNS = ['stream', 'id', 'type', 'data', 'metadata']
  .map((name) => `CAST(${name} AS BLOB)`)
  .join(', ');
const SELECT = `SELECT position, revision, ${COLUMNS} FROM events`;

type Row = [position: unknown, revision: unknown, ...texts: [unknown, unknown, unknown, unknown, unknown]];

/**
 * Opens the SQLite file of an embedded log for an audit, while a server may be writing it. A file that is no database
 * is a log of which all is damaged.
 *
 * @throws NewerSchemaError, UnreadableFileError when it may not be read
 */
export function inspectLogFile(file: string): LogInspection {
  const database = openingFile(file, () => {
    const opened = new Database(file, { timeout: BUSY_TIMEOUT });
    opened.exec('PRAGMA query_only = 1');
    return opened;
  });
  try {
    return openingFile(file, () => {
      if (checkSchema(database, file) === 0) throw new Error(`There is no event log in ${file}`);
      return new LogFileInspection(database);
    });
  } catch (error) {
    database.close();
    if (!(error instanceof DamagedFileError)) throw error;
    return damagedThroughout(error.message);
  }
}

function damagedThroughout(reason: string): LogInspection {
  return {
    dense: true,
    isUnreadable: true,
    head: () => Promise.resolve(null),
    // Nobody knows where it ended.
    end: () => Promise.resolve(Infinity),
    async *pages() {
      yield { events: [], damage: [{ position: null, reason }], position: 0 };
    },
    close: () => Promise.resolve(),
  };
}

class LogFileInspection implements LogInspection {
  readonly dense = true;
  private readonly page: Database.Statement;
  private readonly one: Database.Statement;

  constructor(private readonly database: Database.Database) {
    this.page = database.prepare(`${SELECT} WHERE position > ? ORDER BY position LIMIT ${PAGE}`).raw();
    this.one = database.prepare(`${SELECT} WHERE position = ?`).raw();
  }

  async head(): Promise<number | null> {
    try {
      const [head] = this.database.prepare('SELECT max(position) FROM events').raw().get() as [number | null];
      return head;
    } catch {
      // Damage is reported by the pages that contain it.
      return null;
    }
  }

  end(last: number | null): Promise<number | null> {
    return Promise.resolve(last);
  }

  async *pages(): AsyncIterable<InspectedPage> {
    yield { events: [], damage: this.structuralDamage(), position: 0 };
    for (let after = 0; ; await yieldToEventLoop()) {
      const page = this.readPage(after);
      if (page === null) return;
      yield page;
      after = page.position;
    }
  }

  async close(): Promise<void> {
    this.database.close();
  }

  /** Damage that SQLite's own check finds: pages, indexes, order. */
  private structuralDamage(): readonly LogDamage[] {
    try {
      const rows = this.database.prepare('PRAGMA integrity_check').raw().all() as [string][];
      return rows.flatMap(([reason]) =>
        reason === 'ok' ? [] : [{ position: null, reason: `the file is damaged: ${reason}` }],
      );
    } catch (error) {
      return [{ position: null, reason: `the file is damaged: ${messageOf(error)}` }];
    }
  }

  /** Null: the end. */
  private readPage(after: number): InspectedPage | null {
    let rows: Row[];
    try {
      rows = this.page.all(after) as Row[];
    } catch {
      // One damaged row makes the whole page unreadable, so rows are read one by one to find it.
      return this.readOneByOne(after);
    }
    if (rows.length === 0) return null;
    const read = rows.map(eventOf);
    return {
      events: read.flatMap((one) => ('id' in one ? one : [])),
      damage: read.flatMap((one) => ('id' in one ? [] : one)),
      position: Number(rows.at(-1)![0]),
    };
  }

  /** Reads the positions of an unreadable page one by one. */
  private readOneByOne(after: number): InspectedPage | null {
    const events: PersistedEvent[] = [];
    const damage: LogDamage[] = [];
    for (let position = after + 1; position <= after + PAGE; position += 1) {
      try {
        const row = this.one.get(position) as Row | undefined;
        if (row === undefined) continue;
        const read = eventOf(row);
        if ('id' in read) events.push(read);
        else damage.push(read);
      } catch (error) {
        damage.push({ position, reason: `it cannot be read: ${messageOf(error)}` });
      }
    }
    // All positions of the page are damaged, and those after it cannot be reached.
    if (events.length === 0)
      return damage.length === 0 ? null : { events, damage: damage.slice(0, 1), position: Infinity };
    return { events, damage, position: after + PAGE };
  }
}

function eventOf([position, revision, ...bytes]: Row): PersistedEvent | LogDamage {
  const place = typeof position === 'number' ? position : null;
  if (typeof revision !== 'number') return { position: place, reason: 'its revision is no number' };
  try {
    const [stream, id, type, data, metadata] = bytes.map(textOf) as [string, string, string, string, string];
    return {
      position: place ?? 0,
      stream,
      revision,
      id,
      type,
      data: jsonOf(expand(data, id)),
      metadata: jsonOf(expand(metadata, id)),
    };
  } catch (error) {
    return { position: place, reason: messageOf(error) };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: unknown): string {
  if (bytes instanceof Uint8Array || bytes instanceof ArrayBuffer) return utf8.decode(bytes);
  throw new Error('a part of it is missing');
}

/** Text that differs from its own re-serialization was not written by this program. */
function jsonOf(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject;
  if (JSON.stringify(value) !== text) throw new Error('its JSON is not spelled as it was written');
  return value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
