import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import {
  ModelRemovedError,
  ReadStoreUnavailableError,
  UnsupportedQueryError,
  type CollectionDefinition,
  type Filter,
  type FindOptions,
  type Keyed,
  type ModelStore,
  type ReadStore,
} from '../../src/stores/read-store/port.js';
import { generationBatch, generationSize, openGenerations } from './support/read-store-generations.js';
import { embeddedPlace } from './support/read-store-places.js';
import { eventually } from '../support/eventually.js';

const RUN = fileURLToPath(new URL('../support/typescript/run.mjs', import.meta.url));
const WRITER_PROCESS = fileURLToPath(new URL('support/read-store-writer-process.ts', import.meta.url));
const WRITER_THREAD = new URL('support/read-store-writer-thread.ts', import.meta.url).href;

const messages: CollectionDefinition = {
  name: 'messages',
  indexes: [
    { key: { channelId: 1, _id: 1 } },
    { key: { channelId: 1, topic: 1, _id: 1 } },
    { key: { at: -1 } },
    { key: { people: 1, _id: 1 }, multikey: 'people' },
    { key: { channelId: 1, _id: 1 }, partialFilterExpression: { marked: true } },
    {
      key: { people: 1, _id: 1 },
      multikey: 'people',
      partialFilterExpression: { marked: true },
    },
    { key: { channelId: 1, rank: 1, _id: 1 }, partialFilterExpression: { rank: { $gt: 0 } } },
  ],
};

describe('the embedded read store', () => {
  let place: ReturnType<typeof embeddedPlace>;
  let store: ReadStore;

  beforeEach(() => {
    place = embeddedPlace();
    store = openEmbeddedReadStore(place);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    await place.destroy();
  });

  async function put(model: ModelStore, documents: readonly Keyed[]): Promise<void> {
    const writes = documents.map((replacement) => ({
      collection: 'messages',
      write: { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } },
    }));
    await model.commit({ writes, checkpoint: { position: 1 }, fencingToken: 1 });
  }

  function startWriter(): Worker {
    const { directory } = place;
    const env = { ...process.env, NODE_OPTIONS: '' };
    return new Worker(RUN, { workerData: { run: WRITER_THREAD, directory }, execArgv: [], env });
  }

  it('changes documents one after another, however many match', async () => {
    const model = await store.openModel('many', 1, [messages]);
    const documents = Array.from({ length: 50 }, (_, index) => ({ _id: index + 1, channelId: 1, text: 'x' }));
    await put(model, documents);
    const rows = jest.spyOn(Connection.prototype, 'rows');
    const update = { $set: { text: 'y' } };
    // One filter is decided by SQL, the other one on the documents.
    const filters: readonly Filter[] = [{ channelId: 1 }, { text: { $nin: ['z'] } }];
    await model.commit({
      writes: filters.map((filter) => ({
        collection: 'messages',
        write: { updateMany: { filter, update } },
      })),
      checkpoint: { position: 2 },
      fencingToken: 1,
    });
    const read = rows.mock.results.flatMap(({ value }) => (value as readonly (readonly unknown[])[]).flat());
    expect(read).toHaveLength(2 * documents.length);
    expect(read.filter((value) => typeof value === 'string')).toEqual([]);
    rows.mockRestore();
    const found = await model.collection('messages').find({ text: 'y' });
    expect(found).toHaveLength(documents.length);
  });

  describe('its files', () => {
    it('can be read by their owner alone', async () => {
      await put(await store.openModel('secret', 1, [messages]), [{ _id: 1 }]);
      const modes = readdirSync(place.directory).map((file) => [
        file,
        statSync(join(place.directory, file)).mode & 0o777,
      ]);
      expect(modes.map(([file]) => file)).toContain('secret__v1.sqlite-wal');
      expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    });

    it('are neither made nor changed by somebody who only reads', async () => {
      await put(await store.openModel('read', 1, [messages]), [{ _id: 1 }]);
      await store.switchVersion('read', null, 1);
      await store.close();
      const contents = (): readonly (readonly [string, Buffer])[] =>
        readdirSync(place.directory)
          .filter((file) => !file.endsWith('-shm'))
          .map((file) => [file, readFileSync(join(place.directory, file))] as const);
      const before = contents();
      store = openEmbeddedReadStore({ ...place, readOnly: true });
      const model = await store.openModel('read', (await store.servingVersion('read'))!, [messages]);
      expect(await model.checkpoint()).toEqual({ position: 1 });
      expect(await model.collection('messages').findOne({ _id: 1 })).toEqual({ _id: 1 });
      await expect(put(model, [{ _id: 2 }])).rejects.toThrow(ReadStoreUnavailableError);
      expect(await (await store.openModel('missing', 1, [messages])).checkpoint()).toEqual({
        position: null,
      });
      await store.close();
      expect(contents()).toEqual(before);
    });

    it('need not be there for somebody who only reads', async () => {
      const directory = join(place.directory, 'nowhere');
      const nothing = openEmbeddedReadStore({ directory, readOnly: true });
      expect(await nothing.servingVersion('read')).toBeNull();
      expect(await nothing.modelVersions('read')).toEqual([]);
      await nothing.close();
      expect(readdirSync(place.directory)).not.toContain('nowhere');
    });

    it('that are gone, or another stands in their place, are noticed by who writes and by who reads', async () => {
      const model = await store.openModel('moved', 1, [messages]);
      await put(model, [{ _id: 1 }]);
      expect(model.isRemoved()).toBe(false);
      const removeFiles = (): void => {
        for (const suffix of ['', '-wal', '-shm'])
          rmSync(join(place.directory, `moved__v1.sqlite${suffix}`), { force: true });
      };
      removeFiles();
      expect(model.isRemoved()).toBe(true);
      await expect(put(model, [{ _id: 2 }])).rejects.toThrow(ModelRemovedError);
      const anew = await store.openModel('moved', 1, [messages]);
      expect(anew).not.toBe(model);
      await put(anew, [{ _id: 3 }]);
      expect(model.isRemoved()).toBe(true);
      await expect(put(model, [{ _id: 4 }])).rejects.toThrow(ModelRemovedError);
      expect(await anew.collection('messages').find({})).toEqual([{ _id: 3 }]);
    });

    it('of a version whose dropping a crash cut short are removed by the next who opens the store', async () => {
      await put(await store.openModel('half-dropped', 1, [messages]), [{ _id: 1 }]);
      const file = join(place.directory, 'half-dropped__v1.sqlite');
      const copy = readFileSync(file);
      await store.dropModel('half-dropped', 1);
      writeFileSync(file, copy);
      expect(await store.modelVersions('half-dropped')).toEqual([]);
      await store.close();
      store = openEmbeddedReadStore(place);
      expect(existsSync(file)).toBe(false);
    });

    it('of a version that was dropped elsewhere are closed once nobody reads them any more', async () => {
      const other = openEmbeddedReadStore(place);
      const model = await other.openModel('released', 1, [messages]);
      await put(model, [{ _id: 1 }]);
      await store.dropModel('released', 1);
      await other.releaseDropped();
      expect(await model.collection('messages').findOne({ _id: 1 })).toEqual({ _id: 1 });
      const read = (): Promise<unknown> => model.checkpoint().catch((error: unknown) => error);
      await eventually(read, (answer) => answer instanceof ReadStoreUnavailableError);
      await other.close();
    });

    it('hold nothing of what was removed, once they are closed', async () => {
      const model = await store.openModel('erased', 1, [messages]);
      const secrets = Array.from({ length: 50 }, (_, _id) => ({
        _id,
        topic: `topical-secret-${_id}`,
        text: 'whispered-secret '.repeat(400),
      }));
      await put(model, secrets);
      await put(model, [{ _id: 0, topic: 'harmless' }]);
      await model.commit({
        writes: [{ collection: 'messages', write: { deleteMany: { filter: { _id: { $gt: 0 } } } } }],
        checkpoint: { position: 2 },
        fencingToken: 1,
      });
      await store.close();
      const bytes = readFileSync(join(place.directory, 'erased__v1.sqlite'), 'latin1');
      expect(bytes).toContain('harmless');
      expect(bytes).not.toContain('-secret');
    });

    it('that cannot be opened are reported as unavailable, and so is a closed store', async () => {
      expect(() =>
        openEmbeddedReadStore({ directory: join(place.directory, 'engine.sqlite', 'inside') }),
      ).toThrow();
      const model = await store.openModel('closed', 1, [messages]);
      await store.close();
      await expect(model.checkpoint()).rejects.toThrow(ReadStoreUnavailableError);
      await expect(model.collection('messages').find({})).rejects.toThrow(ReadStoreUnavailableError);
    });
  });

  describe('its indexes', () => {
    let model: ModelStore;
    beforeEach(async () => {
      model = await store.openModel('indexed', 1, [messages]);
      await put(
        model,
        Array.from({ length: 400 }, (_, _id) => ({
          _id,
          channelId: _id % 20,
          topic: `t${_id % 7}`,
          at: _id,
          people: [_id % 5, 'all'],
          marked: _id % 50 === 0,
          rank: _id % 40 === 0 ? 1 : 0,
        })),
      );
    });

    let statements: string[] = [];

    /** How SQLite goes about the statements of a read. */
    async function plansOf(filter: Filter, options: FindOptions): Promise<string[]> {
      const asked: string[] = [];
      const spies = (['row', 'rows'] as const).map((name) => jest.spyOn(Connection.prototype, name));
      await model.collection('messages').find(filter, options);
      for (const spy of spies) asked.push(...spy.mock.calls.map(([sql]) => sql));
      jest.restoreAllMocks();
      statements = asked;
      const database = new Database(join(place.directory, 'indexed__v1.sqlite'));
      const steps = asked.flatMap(
        (sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[],
      );
      database.close();
      expect(asked).not.toEqual([]);
      return steps.map(({ detail }) => detail);
    }

    const many = Array.from({ length: 300 }, (_, channelId) => channelId);

    it.each<[string, Filter, FindOptions]>([
      ['one channel, newest first', { channelId: 3, _id: { $lt: 300 } }, { sort: { _id: -1 }, limit: 10 }],
      [
        'one topic, oldest first',
        { channelId: 3, topic: 't1', _id: { $gte: 5 } },
        { sort: { _id: 1 }, limit: 10 },
      ],
      ['by a falling index', {}, { sort: { at: -1 }, limit: 10 }],
      ['by a falling index, backwards', { at: { $gt: 5 } }, { sort: { at: 1 }, limit: 10 }],
      ['one person, newest first', { people: 3, _id: { $lt: 300 } }, { sort: { _id: -1 }, limit: 10 }],
    ])('answer in order without sorting or scanning: %s', async (_what, filter, options) => {
      const plan = await plansOf(filter, options);
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
      expect(plan.filter((step) => /SCAN stored(?! USING)/.test(step))).toEqual([]);
    });

    it.each<[string, Filter]>([
      [
        '$or',
        { $or: [...many.map((channelId) => ({ channelId, _id: { $gte: 1, $lte: 350 } })), { people: 2 }] },
      ],
      ['$in', { channelId: { $in: many }, _id: { $lt: 350 } }],
      ['$in beside an $or', { channelId: { $in: many }, $or: [{ topic: 't1' }, { topic: 't2' }] }],
    ])('answer each of 300 branches in order and sort no more than the page: %s', async (_what, filter) => {
      const plan = await plansOf(filter, { sort: { _id: -1 }, limit: 10 });
      expect(
        plan.filter((step) => /^SEARCH (stored|entry) USING .*(channel|people|PRIMARY)/.test(step)).length,
      ).toBeGreaterThan(250);
      expect(plan.filter((step) => /SCAN (stored|entry)/.test(step))).toEqual([]);
      // Only the rows that were found in all branches are sorted, twice.
      expect(plan.filter((step) => step.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(2);
    });

    it.each<[string, Filter, string]>([
      ['a scalar', { channelId: 3, marked: true, _id: { $lt: 300 } }, 'messages#3'],
      ['an array', { people: 3, marked: true, _id: { $lt: 300 } }, 'messages$1'],
      ['a value beyond its bound', { channelId: 3, rank: 1, _id: { $lt: 300 } }, 'messages#4'],
    ])('answer in order from a partial index over %s', async (_what, filter, index) => {
      for (const order of [1, -1] as const) {
        const plan = await plansOf(filter, { sort: { _id: order }, limit: 10 });
        expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
        expect(plan.filter((step) => /SCAN (stored|entry)/.test(step))).toEqual([]);
        // The name of the table of an array's entries stands in the statement.
        expect(index.includes('#') ? plan.join('\n') : statements.join('\n')).toContain(index);
      }
    });

    it('ask whether an array has a value too by a look at its own entries', async () => {
      const plan = await plansOf({ people: 3, $nor: [{ people: 'all' }] }, { sort: { _id: -1 }, limit: 10 });
      expect(plan.filter((step) => /SCAN|LIST SUBQUERY|TEMP/.test(step))).toEqual(
        plan.filter((step) => /^SCAN \(subquery/.test(step)),
      );
      expect(plan.join('\n')).toMatch(/CORRELATED SCALAR SUBQUERY/);
    });

    it('give no order of arrays', async () => {
      for (const filter of [{}, { people: 3 }]) {
        const read = model.collection('messages').find(filter, { sort: { people: 1 }, limit: 2 });
        await expect(read).rejects.toThrow(UnsupportedQueryError);
      }
    });

    it('refuse arrays where none was declared, and objects', async () => {
      await expect(put(model, [{ _id: 1, channelId: [1] }])).rejects.toThrow(UnsupportedQueryError);
      await expect(put(model, [{ _id: 1, people: [{ id: 1 }] }])).rejects.toThrow(UnsupportedQueryError);
      expect(await model.collection('messages').findOne({ _id: 1 })).toMatchObject({
        channelId: 1,
        people: [1, 'all'],
      });
    });
  });

  describe('with several threads and processes', () => {
    it('lets threads race for making a model, and shows readers whole batches while one writes', async () => {
      const writers = [startWriter(), startWriter(), startWriter()];
      const opened = writers.map((writer) => once(writer, 'message'));
      const model = await openGenerations(store);
      expect(await Promise.all(opened)).toEqual([['opened'], ['opened'], ['opened']]);
      const [writer, ...idle] = writers as [Worker, ...Worker[]];
      await Promise.all(idle.map((other) => other.terminate()));

      const written = once(writer, 'message');
      let writing = true;
      void written.then(() => (writing = false));
      writer.postMessage(120);
      let last = 0;
      while (writing) {
        const documents = await model.collection('documents').find({}, { sort: { generation: 1 } });
        const generations = new Set(documents.map((document) => document['generation']));
        expect(generations.size).toBeLessThanOrEqual(1);
        const [generation = 0] = generations as Set<number>;
        expect(generation).toBeGreaterThanOrEqual(last);
        last = generation;
        expect((await model.checkpoint()).position ?? 0).toBeGreaterThanOrEqual(last);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await model.collection('documents').countDocuments({ generation: 120 })).toBe(generationSize);
      expect(await model.collection('documents').countDocuments({ tags: '120' })).toBe(generationSize);
      await writer.terminate();
    });

    it('has each batch whole or not at all after its writer was killed, time and again', async () => {
      for (const enough of [20, 60, 130]) {
        const child = spawn(process.execPath, [RUN, WRITER_PROCESS, place.directory], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, NODE_OPTIONS: '' },
        });
        let committed = 0;
        for await (const line of createInterface({ input: child.stdout })) {
          committed = Number(line);
          if (committed === enough) child.kill('SIGKILL');
        }
        const model = await openGenerations(store);
        const { position } = await model.checkpoint();
        expect(position).toBeGreaterThanOrEqual(committed);
        const documents = model.collection('documents');
        const expected = generationBatch(position!).writes.map(({ write }) =>
          'replaceOne' in write ? write.replaceOne.replacement : null,
        );
        expect(await documents.find({}, { sort: { _id: 1 } })).toEqual(expected);
        expect(await documents.countDocuments({ tags: position! })).toBe(generationSize);
        expect(await documents.countDocuments({ tags: position! - 1 })).toBe(0);
      }
    });
  });
});
