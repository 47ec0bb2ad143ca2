import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { CollectionDefinition, Keyed, ModelStore, ReadStore } from '../../src/stores/read-store/port.js';
import { CachingModel } from '../../src/stores/read-store/caching-model.js';
import { describeReadStores, type ReadStorePlace } from './support/read-store-places.js';

describeReadStores((newPlace) => {
  let place: ReadStorePlace;
  let reading: ReadStore;
  let writing: ReadStore;
  let writer: ModelStore;
  let model: CachingModel;
  let models = 0;

  beforeAll(async () => {
    place = newPlace();
    [reading, writing] = [await place.open(), await place.open()];
  });
  afterAll(async () => {
    await Promise.all([reading.close(), writing.close()]);
    await place.destroy();
  });
  beforeEach(async () => {
    const name = `remembered${++models}`;
    const messages: CollectionDefinition = { name: `${name}_messages`, indexes: [{ key: { at: 1 } }] };
    writer = await writing.openModel(name, 1, [messages]);
    model = new CachingModel(await reading.openModel(name, 1, [messages]));
  });

  async function put(through: ModelStore, document: Keyed): Promise<void> {
    const replaceOne = { filter: { _id: document._id }, replacement: document, upsert: true };
    const writes = [{ collection: `${model.name}_messages`, write: { replaceOne } }];
    await through.commit({ writes, checkpoint: { position: 1 }, fencingToken: 1 });
  }

  const newest = (): Promise<Keyed[]> =>
    model.collection(`${model.name}_messages`).find({ at: { $gt: 0 } }, { sort: { at: -1 }, limit: 2 });

  it('answer the same question alike while nothing is written', async () => {
    await put(writer, { _id: 1, at: 1 });
    expect(await newest()).toEqual([{ _id: 1, at: 1 }]);
    expect(await newest()).toEqual([{ _id: 1, at: 1 }]);
  });

  it('answer with what another connection wrote since', async () => {
    await put(writer, { _id: 1, at: 1 });
    await newest();
    await put(writer, { _id: 2, at: 2 });
    model.moved();
    expect(await newest()).toEqual([
      { _id: 2, at: 2 },
      { _id: 1, at: 1 },
    ]);
  });

  it('find out by themselves what another connection wrote, in the next turn of the event loop', async () => {
    await put(writer, { _id: 1, at: 1 });
    await newest();
    await put(writer, { _id: 2, at: 2 });
    await yieldToEventLoop();
    expect(await newest()).toHaveLength(2);
  });

  it('return what was written over the same connection meanwhile', async () => {
    await put(model, { _id: 1, at: 1 });
    expect(await model.collection(`${model.name}_messages`).findOne({ _id: 1 })).toEqual({ _id: 1, at: 1 });
    await put(model, { _id: 1, at: 7 });
    expect(await model.collection(`${model.name}_messages`).findOne({ _id: 1 })).toEqual({ _id: 1, at: 7 });
  });

  it('tell questions apart by filter, order and length', async () => {
    for (const _id of [1, 2, 3]) await put(writer, { _id, at: _id });
    const messages = model.collection(`${model.name}_messages`);
    expect((await messages.find({}, { sort: { at: 1 }, limit: 1 })).map(({ _id }) => _id)).toEqual([1]);
    expect((await messages.find({}, { sort: { at: -1 }, limit: 1 })).map(({ _id }) => _id)).toEqual([3]);
    expect((await messages.find({ at: 2 }, { sort: { at: -1 }, limit: 1 })).map(({ _id }) => _id)).toEqual([
      2,
    ]);
  });

  it('are not affected by what a caller does to the list of an answer', async () => {
    await put(writer, { _id: 1, at: 1 });
    (await newest()).length = 0;
    expect(await newest()).toHaveLength(1);
  });
});
