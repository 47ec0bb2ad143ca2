import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ServingModels } from '../../src/stores/read-store/serving-models.js';
import { ReadStoreUnavailableError, type ModelStore } from '../../src/stores/read-store/port.js';
import { MemoryReadStore } from './support/memory-read-store.js';

let readStore: MemoryReadStore;
let lookup: jest.SpiedFunction<MemoryReadStore['servingVersion']>;
let time: number;
let models: ServingModels;

const get = (name: string): Promise<ModelStore> => models.get(name, []);

beforeEach(async () => {
  readStore = new MemoryReadStore(true);
  for (const name of ['flags', 'messages']) await readStore.switchVersion(name, null, 1);
  lookup = jest.spyOn(readStore, 'servingVersion');
  time = 0;
  models = new ServingModels(readStore, { now: () => time });
});

describe('The models that serve', () => {
  it('are all looked up together, whichever is requested, at most once in a second', async () => {
    await Promise.all([get('flags'), get('messages')]);
    lookup.mockClear();
    time = 999;
    await Promise.all([get('flags'), get('messages')]);
    expect(lookup).not.toHaveBeenCalled();
    time = 1_000;
    await Promise.all([get('flags'), get('flags'), get('messages')]);
    await get('messages');
    expect(lookup.mock.calls).toEqual([['flags'], ['messages']]);
  });

  it('have the new version a second after it began to serve, whichever model was requested', async () => {
    await Promise.all([get('flags'), get('messages')]);
    await readStore.switchVersion('messages', 1, 2);
    time = 999;
    await get('flags');
    time = 1_000;
    expect((await get('flags')).version).toBe(1);
    expect((await get('messages')).version).toBe(2);
  });

  it('are opened anew when it is known that they were switched, also while they are looked up', async () => {
    await get('messages');
    time = 1_000;
    let answer = (): void => undefined;
    lookup.mockImplementationOnce(() => new Promise((resolve) => (answer = (): void => resolve(1))));
    const asked = get('messages');
    await readStore.switchVersion('messages', 1, 2);
    models.forget('messages');
    answer();
    expect((await asked).version).toBe(2);
    expect((await get('messages')).version).toBe(2);
  });

  it('are looked up again in time although the clock of the machine is set back', async () => {
    models = new ServingModels(readStore);
    await get('messages');
    await readStore.switchVersion('messages', 1, 2);
    const begun = performance.now();
    const wall = jest.spyOn(Date, 'now').mockReturnValue(0);
    const later = jest.spyOn(performance, 'now').mockReturnValue(begun + 1_100);
    expect((await get('messages')).version).toBe(2);
    later.mockRestore();
    wall.mockRestore();
  });

  it('notify once of another version, before the first answer from it', async () => {
    const seen: string[] = [];
    models = new ServingModels(readStore, { now: () => time, onSwitch: () => void seen.push('switched') });
    await Promise.all([get('flags'), get('messages')]);
    models.forget('flags');
    await get('flags');
    expect(seen).toEqual([]);
    await readStore.switchVersion('messages', 1, 2);
    time = 1_000;
    await get('messages').then(({ version }) => seen.push(`version ${version}`));
    time = 2_000;
    await get('messages');
    expect(seen).toEqual(['switched', 'version 2']);
    await readStore.switchVersion('flags', 1, 2);
    models.forget('flags');
    await get('flags');
    expect(seen).toEqual(['switched', 'version 2', 'switched']);
  });

  it('are none while no version was ever completed', async () => {
    expect(await models.find('letters', [])).toBeNull();
    await expect(get('letters')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await readStore.switchVersion('letters', null, 1);
    expect((await get('letters')).version).toBe(1);
  });

  it('are unavailable after a while, when the store hangs, and are asked for anew by the next', async () => {
    models = new ServingModels(readStore, { now: () => time, timeout: 20 });
    await get('messages');
    time = 1_000;
    lookup.mockImplementationOnce(() => new Promise(() => undefined));
    await expect(Promise.all([get('messages'), get('messages')])).rejects.toThrow(ReadStoreUnavailableError);
    const model = await get('messages');
    jest
      .spyOn(readStore.models.get('messages:1')!, 'checkpoint')
      .mockReturnValue(new Promise(() => undefined));
    await expect(model.checkpoint()).rejects.toThrow('The read models did not answer within 20 ms');
  });
});
