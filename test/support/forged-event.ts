import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import type { JsonObject } from '../../src/kernel/json.js';
import { eventHash } from '../../src/stores/event-store/event-hash.js';

/** A forged event for the end of a stream. */
export interface Forgery {
  readonly stream: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly actorId: number | null;
}

/**
 * Writes an event into the embedded log of a data directory without the server: with a valid hash, place and shape, but without a tag.
 *
 * @returns its position and its revision
 */
export function forgeEvent(directory: string, { stream, type, data, actorId }: Forgery): ForgedPlace {
  const database = new Database(join(directory, 'events.sqlite'));
  database.exec('PRAGMA busy_timeout = 5000');
  const [position] = database.prepare('SELECT max(position) + 1 FROM events').raw().get() as [number];
  const [revision] = database
    .prepare('SELECT coalesce(max(revision) + 1, 0) FROM events WHERE stream = ?')
    .raw()
    .get(stream) as [number];
  const event = { stream, id: randomUUID(), type, data };
  const metadata = {
    actorId,
    commandId: randomUUID(),
    causationId: null,
    client: 'website',
    at: Date.now(),
    schemaVersion: 1,
  };
  const texts = [data, { ...metadata, hash: eventHash({ ...event, metadata }) }].map((part) =>
    JSON.stringify(part),
  );
  database
    .prepare(
      'INSERT INTO events (position, stream, revision, id, type, data, metadata) VALUES (?,?,?,?,?,?,?)',
    )
    .run(position, stream, revision, event.id, type, ...texts);
  database.close();
  return { position, revision };
}

export interface ForgedPlace {
  readonly position: number;
  readonly revision: number;
}
