import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ModelRemovedError,
  UnsupportedQueryError,
  type ReadStore,
} from '../../src/stores/read-store/port.js';
import { describeModels, newestFirst, put } from './support/read-store-given.js';

describeModels((given) => {
  describe('models', () => {
    it('keep their versions apart, and lose one without harm to the other', async () => {
      const model = given.model();
      await model.open(1);
      await model.commit([put({ _id: 1, of: 'first' })], { position: 1 });
      await model.open(12);
      await model.commit([put({ _id: 1, of: 'second' })], { position: 2 });
      expect(await given.store.modelVersions(model.name)).toEqual([1, 12]);
      expect(await given.store.dropModel(model.name, 1)).toBe(true);
      expect(await given.store.modelVersions(model.name)).toEqual([12]);
      expect(await model.all()).toEqual([{ _id: 1, of: 'second' }]);
      await given.store.dropModel(model.name, 12);
      await given.store.dropModel(model.name, 99);
    });

    it('never reuse the number of a dropped version, in any process', async () => {
      const other = await given.place.open();
      const model = given.model();
      await model.open(3);
      await model.open(7);
      await given.store.dropModel(model.name, 7);
      expect(await other.modelVersions(model.name)).toEqual([3]);
      expect(await other.usedVersions(model.name)).toEqual([3, 7]);
      await expect(model.open(7)).rejects.toThrow(ModelRemovedError);
      await expect(model.open(7, other)).rejects.toThrow(ModelRemovedError);
      expect(await other.dropModel(model.name, 7)).toBe(true);
      expect(await given.store.usedVersions(model.name)).toEqual([3, 7]);
      await other.close();
    });

    it('that were dropped refuse further writes, in any process', async () => {
      const other = await given.place.open();
      const model = given.model();
      await model.open(1);
      const theirs = given.model();
      Object.assign(theirs, { name: model.name });
      await theirs.open(1, other);
      await theirs.commit([put({ _id: 1 })], { position: 1 });
      await given.store.dropModel(model.name, 1);
      await other.releaseDropped();
      await expect(theirs.commit([put({ _id: 2 })], { position: 2 })).rejects.toThrow(ModelRemovedError);
      await expect(theirs.store.fence(9)).rejects.toThrow(ModelRemovedError);
      await expect(model.store.fence(9)).rejects.toThrow(ModelRemovedError);
      await other.close();
    });

    it('cannot be dropped while they serve, nor serve once they were dropped', async () => {
      const model = given.model();
      await model.open(1);
      await model.open(2);
      await given.store.switchVersion(model.name, null, 1);
      expect(await given.store.dropModel(model.name, 1)).toBe(false);
      expect(await given.store.modelVersions(model.name)).toEqual([1, 2]);
      expect(await given.store.dropModel(model.name, 2)).toBe(true);
      expect(await given.store.switchVersion(model.name, 1, 2)).toBe(false);
      expect(await given.store.servingVersion(model.name)).toBe(1);
    });

    it('are dropped or begin to serve, never both, however two processes race', async () => {
      const other = await given.place.open();
      for (let race = 0; race < 5; race += 1) {
        const model = given.model();
        await model.open(1);
        await model.open(2);
        await given.store.switchVersion(model.name, null, 1);
        const [switched, dropped] = await Promise.all([
          given.store.switchVersion(model.name, 1, 2),
          other.dropModel(model.name, 2),
        ]);
        expect(switched).toBe(!dropped);
        expect(await given.store.servingVersion(model.name)).toBe(switched ? 2 : 1);
      }
      await other.close();
    });

    it('are seen by other nodes that share the place', async () => {
      const other = await given.place.open();
      const model = given.model();
      const theirs = given.model();
      Object.assign(theirs, { name: model.name });
      await theirs.open(1, other);
      await model.open(1);
      await model.commit([put({ _id: 1 })], { position: 3 });
      expect(await theirs.all()).toEqual([{ _id: 1 }]);
      expect(await theirs.store.checkpoint()).toEqual({ position: 3 });
      await other.close();
    });

    it('keep their documents when other indexes are declared', async () => {
      const name = given.newName();
      const documents = Array.from({ length: 30 }, (_, _id) => ({ _id, a: _id % 3, tags: [_id % 2, 'x'] }));
      const first = await given.store.openModel(name, 1, [
        { name: `${name}_things`, indexes: [{ key: { a: 1 } }] },
      ]);
      const writes = documents.map((document) => ({ collection: `${name}_things`, write: put(document) }));
      await first.commit({ writes, checkpoint: { position: 8 }, fencingToken: 1 });
      const second = await given.store.openModel(name, 1, [
        { name: `${name}_things`, indexes: [{ key: { tags: 1, _id: -1 }, multikey: 'tags' }] },
      ]);
      const things = second.collection(`${name}_things`);
      expect(await second.checkpoint()).toEqual({ position: 8 });
      expect(await things.find({ tags: 1 }, newestFirst)).toEqual(
        documents.filter(({ tags }) => tags[0] === 1).toReversed(),
      );
    });

    it.each([
      ['../up', 1],
      ['a__v1', 1],
      ['', 1],
      ['a', 0],
      ['a', 1.5],
    ])('refuse the name %j, version %d', async (name, version) => {
      await expect(given.store.openModel(name, version, [])).rejects.toThrow(UnsupportedQueryError);
    });

    it('serve the version that was switched to, and refuse a switch from another', async () => {
      expect(await given.store.servingVersion('served')).toBeNull();
      expect(await given.store.switchVersion('served', 1, 2)).toBe(false);
      expect(await given.store.switchVersion('served', null, 1)).toBe(true);
      expect(await given.store.switchVersion('served', null, 2)).toBe(false);
      expect(await given.store.switchVersion('served', 1, 2)).toBe(true);
      expect(await given.store.switchVersion('served', 2, 1)).toBe(true);
      expect(await given.store.servingVersion('served')).toBe(1);
      expect(await given.store.servingVersion('other')).toBeNull();
    });

    it('let one of several switches from the same version through', async () => {
      await given.store.switchVersion('raced', null, 1);
      const switched = await Promise.all([2, 3, 4, 5].map((to) => given.store.switchVersion('raced', 1, to)));
      expect(switched.filter(Boolean)).toHaveLength(1);
      expect(await given.store.servingVersion('raced')).toBe(switched.indexOf(true) + 2);
    });
  });

  describe('leases', () => {
    const long = 600_000;
    let others: ReadStore[] = [];
    afterEach(async () => {
      for (const other of others) await other.close();
      others = [];
    });

    it('are held by one, renewed by it, and handed on with a higher token', async () => {
      expect(await given.store.acquireLease('lease', 'a', long)).toEqual({ token: 1 });
      expect(await given.store.acquireLease('lease', 'b', long)).toBeNull();
      expect(await given.store.acquireLease('lease', 'a', long)).toEqual({ token: 1 });
      await given.store.releaseLease('lease', 'b');
      expect(await given.store.acquireLease('lease', 'b', long)).toBeNull();
      await given.store.releaseLease('lease', 'a');
      expect(await given.store.acquireLease('lease', 'b', long)).toEqual({ token: 2 });
      expect(await given.store.acquireLease('unrelated', 'a', long)).toEqual({ token: 1 });
    });

    it('run out', async () => {
      expect(await given.store.acquireLease('short', 'a', 0)).toEqual({ token: 1 });
      expect(await given.store.acquireLease('short', 'b', long)).toEqual({ token: 2 });
      expect(await given.store.acquireLease('short', 'a', long)).toBeNull();
    });

    it('have one holder after a race, however often it is run', async () => {
      others = await Promise.all([given.place.open(), given.place.open(), given.place.open()]);
      for (let round = 1; round <= 10; round++) {
        const taken = await Promise.all(
          [given.store, ...others].flatMap((node, at) =>
            [1, 2, 3].map((runner) => node.acquireLease('raced', `${at}-${runner}`, long)),
          ),
        );
        expect(taken.filter((lease) => lease !== null)).toEqual([{ token: round }]);
        const winner = taken.findIndex((lease) => lease !== null);
        await given.store.releaseLease('raced', `${Math.floor(winner / 3)}-${(winner % 3) + 1}`);
      }
    });
  });
});
