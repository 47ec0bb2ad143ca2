import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import AsynchronousDatabase from 'libsql/promise';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import {
  InterruptibleReader,
  StatementPace,
} from '../../src/stores/read-store/embedded/interruptible-reader.js';
import { DeadlineExceededError, type ReadDeadline } from '../../src/stores/read-store/port.js';
import { DirectReader } from '../../src/stores/read-store/embedded/row-reader.js';
import { eventually } from '../support/eventually.js';
import { embeddedPlace } from './support/read-store-places.js';

/** Counts for ever. */
const ENDLESS =
  'WITH RECURSIVE one(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM one) SELECT count(*) FROM one';

/** Answers rows for ever. */
const ENDLESS_ROWS = 'WITH RECURSIVE one(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM one) SELECT x FROM one';

const late = new Error('Too late');

function deadline(): { readonly current: ReadDeadline; readonly over: AbortController } {
  const over = new AbortController();
  return { current: { signal: over.signal, at: Infinity }, over };
}

describe('a reader that can be interrupted', () => {
  let place: ReturnType<typeof embeddedPlace>;
  let file: string;
  let current: ReadDeadline | null;
  let connection: Connection;
  let running: number[];
  let reader: InterruptibleReader;

  beforeEach(() => {
    place = embeddedPlace();
    file = join(place.directory, 'some.sqlite');
    new Database(file).exec('PRAGMA journal_mode = WAL; CREATE TABLE here (x)');
    current = null;
    running = [];
    connection = Connection.openToRead(file);
    reader = InterruptibleReader.open(file, new DirectReader(connection), {
      deadline: () => current,
      running: (statements) => void running.push(statements),
      rowsRead: () => {},
    });
  });

  afterEach(async () => {
    reader.close();
    connection.close();
    await place.destroy();
  });

  it.each([
    ['one row', (): Promise<unknown> => reader.row(ENDLESS, [])],
    ['rows', (): Promise<unknown> => reader.rows(ENDLESS_ROWS, [], (row) => row)],
    ['a snapshot', (): Promise<unknown> => reader.snapshot((within) => within.row(ENDLESS, []))],
  ])('ends a statement for %s that would go on for ever, and answers the next one', async (_what, ask) => {
    const { current: given, over } = deadline();
    current = given;
    const asked = ask();
    setImmediate(() => over.abort(late));
    await expect(asked).rejects.toBe(late);
    current = null;
    expect(await reader.row('SELECT 7', [])).toEqual([7]);
  });

  it('answers the next statement when the first one could not begin', async () => {
    const interrupted = new Error('interrupted');
    jest.spyOn(AsynchronousDatabase.prototype, 'exec').mockRejectedValueOnce(interrupted);
    // A statement that no other test has made known as quick, which would run directly.
    await expect(reader.row('SELECT 106', [])).rejects.toThrow('interrupted');
    expect(await reader.row('SELECT 106', [])).toEqual([106]);
    await expect(reader.row('INSERT INTO here VALUES (1)', [])).rejects.toThrow();
  });

  it('lets nothing begin after the deadline', async () => {
    const { current: given, over } = deadline();
    current = given;
    over.abort(late);
    await expect(reader.row('SELECT 7', [])).rejects.toBe(late);
  });

  it('interrupts again what had not begun when it was interrupted first', async () => {
    const { current: given, over } = deadline();
    current = given;
    const asked = reader.row(ENDLESS, []);
    over.abort(late);
    await expect(asked).rejects.toBe(late);
  });

  it('reads at once what was quick, as long as the time is not over', async () => {
    const { current: given } = deadline();
    current = given;
    for (let read = 0; read < 5; read += 1) expect(await reader.row('SELECT 7', [])).toEqual([7]);
    current = { ...given, at: performance.now() - 1 };
    await expect(reader.row('SELECT 7', [])).rejects.toBeInstanceOf(DeadlineExceededError);
  });

  it('runs no statement while this thread does something with the rows of another', async () => {
    const order: string[] = [];
    const read = async (name: string): Promise<void> => {
      await reader.row(`SELECT '${name}'`, []);
      order.push(`${name} answered`);
      await Promise.resolve();
      order.push(`${name} done`);
    };
    await Promise.all([read('first'), read('second')]);
    expect(order).toEqual(['first answered', 'first done', 'second answered', 'second done']);
  });

  it('says while the driver runs something for it', async () => {
    // Statements that no other test has made known as quick.
    await reader.row('SELECT 107', []);
    await reader.row('SELECT 108', []);
    expect(running.slice(0, 3)).toEqual([1, 0, 1]);
    const { current: given, over } = deadline();
    current = given;
    const asked = reader.row(ENDLESS, []);
    await eventually(
      () => Promise.resolve(running.at(-1)),
      (statements) => statements === 1,
    );
    over.abort(late);
    await expect(asked).rejects.toBe(late);
    await eventually(
      () => Promise.resolve(running.at(-1)),
      (statements) => statements === 0,
    );
  });

  it('lets nobody write', async () => {
    await expect(reader.rows('CREATE TABLE written (x)', [], (row) => row)).rejects.toThrow();
  });

  it('sees one state within a snapshot', async () => {
    const seen = await reader.snapshot(async (within) => {
      const first = await within.row('SELECT count(*) FROM sqlite_schema', []);
      new Database(file).exec('CREATE TABLE made_meanwhile (x)');
      return [first, await within.row('SELECT count(*) FROM sqlite_schema', [])];
    });
    expect(seen).toEqual([[1], [1]]);
    expect(await reader.row('SELECT count(*) FROM sqlite_schema', [])).toEqual([2]);
  });
});

describe('the pace of a statement', () => {
  it('is quick after two quick answers, and after a slow one only after many', () => {
    const pace = new StatementPace();
    pace.note(1);
    expect(pace.isQuick).toBe(false);
    pace.note(1);
    expect(pace.isQuick).toBe(true);
    pace.note(1_000);
    expect(pace.isQuick).toBe(false);
    for (let answer = 0; answer < 49; answer += 1) pace.note(1);
    expect(pace.isQuick).toBe(false);
    pace.note(1);
    expect(pace.isQuick).toBe(true);
  });
});
