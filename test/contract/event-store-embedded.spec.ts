import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { inspectLogFile } from '../../src/stores/event-store/embedded/inspect-log-file.js';
import { LogWriter } from '../../src/stores/event-store/embedded/log-writer.js';
import type { EventPage, EventStore, StoredEvent } from '../../src/stores/event-store/port.js';
import { WriteConnection } from '../../src/stores/sqlite/write-connection.js';
import {
  eventsOf,
  follow,
  idsOf,
  readWholeStream,
  someEvent,
  someEvents,
} from './support/event-store-events.js';
import { temporaryDirectory } from './support/event-store-fixtures.js';
import type { FullDiskReport } from './support/event-store-full-disk-process.js';

const RUN = fileURLToPath(new URL('../support/typescript/run.mjs', import.meta.url));
const scriptAt = (name: string): string => fileURLToPath(new URL(`support/${name}`, import.meta.url));

describe('the embedded event store', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let file: string;
  let opened: EventStore[];

  const open = (readOnly = false): EventStore => {
    const store = openEmbeddedEventStore({ file, readOnly });
    opened.push(store);
    return store;
  };

  /** What a failing disk, or somebody's hand, does to the file. */
  const damage = (statement: string): void => {
    const database = new Database(file);
    database.exec(statement);
    database.close();
  };

  beforeEach(async () => {
    directory = await temporaryDirectory();
    file = join(directory.path, 'data', 'log.sqlite');
    opened = [];
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(opened.map((store) => store.close()));
    await directory.remove();
  });

  it('gives positions that are contiguous from 1, through refusals and reopening', async () => {
    const first = open();
    await first.append('one', 'no-stream', someEvents(2));
    await expect(first.append('one', 'no-stream', someEvents(1))).rejects.toThrow('revision 1');
    await first.close();
    await open().append('two', 'any', someEvents(1));
    const events = await eventsOf(open().readAll({ after: null }));
    expect(events.map((event) => event.position)).toEqual([1, 2, 3]);
  });

  it('lets nobody but its owner read its files', async () => {
    await open().append('one', 'no-stream', someEvents(1));
    const folder = dirname(file);
    const files = readdirSync(folder);
    expect(files).toContain('log.sqlite-wal');
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('commits appends that arrive together in one transaction', async () => {
    const store = open();
    const commits = jest.spyOn(WriteConnection.prototype, 'commit');
    await Promise.all(Array.from({ length: 50 }, () => store.append('messages', 'any', someEvents(1))));
    expect(commits).toHaveBeenCalledTimes(1);
  });

  it('can be read while a commit waits for the disk, without the events of that commit', async () => {
    const store = open();
    await store.append('messages', 'any', someEvents(1));
    const [disk, commit] = [new EventEmitter(), WriteConnection.prototype.commit];
    jest.spyOn(WriteConnection.prototype, 'commit').mockImplementationOnce(async function (
      this: WriteConnection,
    ) {
      const synced = once(disk, 'synced');
      disk.emit('reached');
      await synced;
      return commit.call(this);
    });
    const reached = once(disk, 'reached');
    const shared = [
      store.append('messages', 'any', someEvents(1)),
      store.append('messages', 'any', someEvents(1)),
    ];
    await reached;
    const later = store.append('messages', 'any', someEvents(1));
    expect(await readWholeStream(store, 'messages')).toHaveLength(1);
    expect(await store.head()).toBe(1);
    disk.emit('synced');
    expect(await Promise.all([...shared, later])).toMatchObject([
      { revision: 1 },
      { revision: 2 },
      { revision: 3 },
    ]);
  });

  it('recognises a retry under "any" that another connection, or an earlier run, wrote', async () => {
    const [events, others] = [someEvents(2), someEvents(3)];
    const first = open();
    const result = await first.append('messages', 'any', events);
    const second = open();
    expect(await second.append('messages', 'any', events)).toEqual(result);
    await second.append('messages', 'any', others);
    expect(await first.append('messages', 'any', others)).toMatchObject({ revision: 4 });
    expect(await readWholeStream(first, 'messages')).toHaveLength(5);
  });

  it.each([
    ['no JSON', `data = '{"number"'`],
    ['no object', `data = 'null'`],
    ['no text', `data = CAST(x'7b22ff227d' AS TEXT)`],
    ['no metadata', `metadata = substr(metadata, 2)`],
  ])('shows an event of which %s is left in its place, and what follows it', async (_, change) => {
    const store = open();
    const [first, second, third] = someEvents(3);
    await store.append('one', 'no-stream', [first!, second!, third!]);
    damage(`UPDATE events SET ${change} WHERE position = 2`);
    const events = await eventsOf(open().readAll({ after: null }));
    const place = { id: second!.id, type: second!.type, stream: 'one', revision: 1, position: 2 };
    expect(events).toMatchObject([first, { ...place, unreadable: expect.any(String) }, third]);
    expect(events.map((event) => 'unreadable' in event)).toEqual([false, true, false]);
    expect(await store.readStream('one', { limit: 10 })).toEqual(events);
  });

  it('says where the events of an append are that stand earlier in their stream', async () => {
    const store = open();
    const [first, repeated, last] = [someEvents(2), someEvents(2), someEvents(1)] as const;
    await store.append('one', 'no-stream', first);
    await store.append('one', 1, repeated);
    await store.append('one', 3, last);
    await expect(store.append('one', 4, [...someEvents(1), ...repeated])).rejects.toMatchObject({
      name: 'RepeatedAppendError',
      actual: 4,
      earlier: { id: repeated[0]!.id, revision: 2 },
    });
    await expect(store.append('two', 'no-stream', repeated)).rejects.toMatchObject({
      name: 'WrongExpectedRevisionError',
      actual: null,
    });
    expect(await readWholeStream(store, 'one')).toHaveLength(5);
  });

  it('appends after events whose names are damaged', async () => {
    const first = open();
    await first.append('messages', 'any', someEvents(3));
    await first.close();
    damage(`UPDATE events SET id = CAST(x'ff' AS TEXT) WHERE position = 1`);
    damage(`UPDATE events SET type = CAST(x'ff' AS TEXT) WHERE position = 2`);
    const store = open();
    expect(await store.append('messages', 'any', someEvents(1))).toMatchObject({ revision: 3 });
    const events = await eventsOf(store.readAll({ after: null }));
    expect(events.map((event) => 'unreadable' in event)).toEqual([true, true, false, false]);
  });

  it('shows a page of rare types at a time, and says how far it has looked', async () => {
    const store = open();
    for (let count = 0; count < 48_000; count += 4_000)
      await store.append('messages', 'any', someEvents(4_000));
    await store.append('users', 'no-stream', someEvents(1, 'Rare'));
    const pages: EventPage[] = [];
    for await (const page of store.readAll({ after: null, types: ['Rare'] })) pages.push(page);
    expect(pages.map(({ position, live }) => ({ position, live }))).toEqual([
      { position: 20_000, live: false },
      { position: 40_000, live: false },
      { position: 48_001, live: true },
    ]);
    expect(pages.map((page) => page.events.length)).toEqual([0, 0, 1]);
  });

  it('moves the position of a live subscription past events of other types', async () => {
    const store = open();
    const follower = follow(store, { after: null, types: ['Wanted'] });
    const { position } = await store.append('messages', 'any', someEvents(3, 'Other'));
    await follower.until(({ pages }) => pages.at(-1)?.position === position);
    expect(follower.events).toEqual([]);
    await follower.stop();
  });

  describe('when the disk fails', () => {
    const failure = (code: string): Error => Object.assign(new Error(code), { code });

    it('says that nothing was written where it ran full, and takes the same append later', async () => {
      const store = open();
      const events = someEvents(2);
      jest.spyOn(LogWriter.prototype, 'insert').mockImplementationOnce(() => {
        throw failure('SQLITE_FULL');
      });
      const attempts = [
        store.append('messages', 'any', events),
        store.append('other', 'no-stream', someEvents(1)),
      ];
      for (const result of await Promise.allSettled(attempts)) {
        expect(result).toMatchObject({ reason: { name: 'EventStoreUnavailableError', written: false } });
      }
      expect(await store.append('messages', 'any', events)).toEqual({ revision: 1, position: 2 });
    });

    it('rejects every append that shared the failed commit', async () => {
      const store = open();
      const appends = [someEvents(1), someEvents(1)];
      const attempt = (): Promise<unknown>[] =>
        appends.map((events) => store.append('messages', 'any', events));
      jest.spyOn(WriteConnection.prototype, 'commit').mockRejectedValueOnce(failure('SQLITE_IOERR_FSYNC'));
      for (const result of await Promise.allSettled(attempt())) {
        expect(result).toMatchObject({ reason: { name: 'EventStoreUnavailableError', written: 'unknown' } });
      }
      expect(await Promise.all(attempt())).toMatchObject([{ revision: 0 }, { revision: 1 }]);
    });

    it('says that the outcome is unknown where a commit broke off, and a retry writes once', async () => {
      const store = open();
      const events = someEvents(2);
      jest.spyOn(WriteConnection.prototype, 'commit').mockImplementationOnce(() => {
        throw failure('SQLITE_IOERR_FSYNC');
      });
      const refused = store.append('messages', 'any', events);
      await expect(refused).rejects.toMatchObject({ name: 'EventStoreUnavailableError', written: 'unknown' });
      expect(await store.append('messages', 'any', events)).toEqual({ revision: 1, position: 2 });
      expect(await store.append('messages', 'any', events)).toEqual({ revision: 1, position: 2 });
      expect(await readWholeStream(store, 'messages')).toHaveLength(2);
    });

    const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
    const onSmallDisk = canMount ? it : it.skip;

    onSmallDisk('refuses writes on a full disk, goes on reading, and loses nothing (needs `unshare`)', () => {
      const mount = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$4" "$1"';
      const script = scriptAt('event-store-full-disk-process.ts');
      const child = spawnSync(
        'unshare',
        [
          '--map-root-user',
          '--mount',
          'sh',
          '-c',
          mount,
          'sh',
          directory.path,
          process.execPath,
          RUN,
          script,
        ],
        { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
      );
      expect(child.stderr).toBe('');
      const report = JSON.parse(child.stdout) as FullDiskReport;
      expect(report.acknowledged).toBeGreaterThan(10);
      for (const refusal of report.refusals) {
        expect(refusal).toEqual({ name: 'EventStoreUnavailableError', written: false });
      }
      expect(report.readWhileFull).toBe(report.acknowledged);
      expect(report.acknowledgedWithRoom).toBeGreaterThan(10);
      const kept = report.acknowledged + report.acknowledgedWithRoom;
      expect(report.revisionsAfterReopening).toEqual([...Array(kept).keys()]);
    });
  });

  it('loses nothing that was acknowledged when it is killed, time and again', async () => {
    const acknowledged = new Map<number, string>();
    for (const enough of [50, 150, 400]) {
      const child = spawn(process.execPath, [RUN, scriptAt('event-store-writer-process.ts'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      let count = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        const [revision, id] = line.split(' ');
        acknowledged.set(Number(revision), id!);
        count += 1;
        if (count === enough) child.kill('SIGKILL');
      }
      const store = open();
      const events = await readWholeStream(store, 'messages');
      expect(events.map((event) => event.revision)).toEqual([...Array(events.length).keys()]);
      expect(events.map((event) => event.position)).toEqual(events.map((event) => event.revision + 1));
      for (const [revision, id] of acknowledged) expect(events[revision]?.id).toBe(id);
      await store.close();
    }
  });

  it('shows appended events to a reader in another thread at once', async () => {
    const store = open();
    const events = someEvents(20);
    await store.append('messages', 'any', events.slice(0, 10));
    const worker = new Worker(RUN, {
      workerData: { run: new URL('support/event-store-follower-thread.ts', import.meta.url).href, file },
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const delivered: string[] = [];
    const exited = once(worker, 'exit');
    const caughtUp = new Promise<void>((resolve, reject) => {
      worker.on('error', reject).on('message', (page: EventPage) => {
        delivered.push(...idsOf(page.events));
        if (delivered.length === 10) resolve();
        if (delivered.length === events.length) worker.postMessage('stop');
      });
    });
    await caughtUp;
    for (const event of events.slice(10)) await store.append('messages', 'any', [event]);
    expect(await exited).toEqual([0]);
    expect(delivered).toEqual(idsOf(events));
  });

  it('shows appended events to a reader in another process', async () => {
    const store = open();
    const events = someEvents(6);
    await store.append('messages', 'any', events.slice(0, 3));
    const child = spawn(process.execPath, [RUN, scriptAt('event-store-follower-process.ts'), file], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const delivered: string[] = [];
    for await (const id of createInterface({ input: child.stdout })) {
      delivered.push(id);
      if (delivered.length === 3) await store.append('messages', 'any', events.slice(3));
      if (delivered.length === events.length) child.stdin.end();
    }
    expect(delivered).toEqual(idsOf(events));
  });

  it('reads what the first version of the file holds, beside what it writes itself in fewer bytes', async () => {
    const sentBy = (senderId: number): StoredEvent => ({
      ...someEvent('MessageSent', {
        senderId,
        recipient: { type: 'channel', channelId: 1, topic: 'engines' },
      }),
      metadata: { actorId: 3, commandId: '6f1d3d4c', causationId: null, client: 'test', at: senderId },
    });
    const [old, fresh] = [sentBy(1), sentBy(2)];
    await open().close();
    const { id, type, data, metadata } = old;
    const database = new Database(file);
    const insertion = database.prepare('INSERT INTO events VALUES (1, ?, 0, ?, ?, ?, ?)');
    insertion.run('messages', id, type, JSON.stringify(data), JSON.stringify(metadata));
    database.exec('PRAGMA user_version = 1');
    database.close();

    const store = open();
    await store.append('messages', 'any', [fresh]);
    const expected = [
      { ...old, stream: 'messages', revision: 0, position: 1 },
      { ...fresh, stream: 'messages', revision: 1, position: 2 },
    ];
    expect(await readWholeStream(store, 'messages')).toEqual(expected);
    const inspection = inspectLogFile(file);
    const inspected: unknown[] = [];
    for await (const { events, damage } of inspection.pages()) inspected.push(...events, ...damage);
    await inspection.close();
    expect(inspected).toEqual(expected);
    const stored = new Database(file);
    const lengths = stored
      .prepare('SELECT length(data) + length(metadata) FROM events ORDER BY position')
      .raw();
    const [[before], [after]] = lengths.all() as [[number], [number]];
    expect(after).toBeLessThan(before / 2);
    expect(stored.prepare('PRAGMA user_version').raw().get()).not.toEqual([1]);
    stored.close();
  });

  it('open for reading alone refuses appends, and a file without a log', async () => {
    expect(() => open(true)).toThrow('There is no event log');
    await open().append('stream', 'no-stream', someEvents(1));
    const reader = open(true);
    expect(await reader.head()).toBe(1);
    const refused = reader.append('stream', 0, [someEvent()]);
    await expect(refused).rejects.toMatchObject({ name: 'EventStoreUnavailableError', written: false });
  });

  it.each([false, true])(
    'refuses a file that a newer version wrote (reading alone: %p)',
    async (readOnly) => {
      await open().close();
      const database = new Database(file);
      database.exec('PRAGMA user_version = 99');
      database.close();
      expect(() => open(readOnly)).toThrow(/was written by a newer version of Palimpsest .*format is 99/);
    },
  );
});
