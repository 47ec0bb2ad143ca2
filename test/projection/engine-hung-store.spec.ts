import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ModelBuilds } from '../../projections/engine/model-builds.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import type { Projection } from '../../projections/engine/projection.js';
import { Projector } from '../../projections/engine/projector.js';
import type { EngineStores } from '../../projections/engine/projection-runner.js';
import { ReadStoreUnavailableError, type ReadStore } from '../../src/stores/read-store/port.js';
import { standIn } from '../support/stand-in.js';

/** A call that is never answered. */
const hanging = (): Promise<never> => new Promise(() => undefined);

const change = { isPaused: true };

function changing(store: object): Promise<unknown> {
  const settings = new OperatorSettings(standIn<ReadStore>(store));
  return settings.change('messages', (present) => ({ ...present, ...change }), 'a process');
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('Changing the settings of a projection', () => {
  const lease = { token: 1 };
  it.each([
    ['gives no lease', { acquireLease: hanging, releaseLease: hanging }],
    [
      'hangs from the first look-up on',
      { acquireLease: () => Promise.resolve(lease), openModel: hanging, releaseLease: hanging },
    ],
  ])('is refused after ten seconds by a store that %s', async (_, store) => {
    const refused = expect(changing(store)).rejects.toThrow(
      new ReadStoreUnavailableError(
        'The read store did not confirm the change of the settings within 10000 ms. It may have been made: look at the status before you try again',
      ),
    );
    await jest.advanceTimersByTimeAsync(10_100);
    await refused;
  });

  it('is not made later if the lease comes when nobody waits any more', async () => {
    let give = (_: { readonly token: number }): void => undefined;
    const openModel = jest.fn(hanging);
    const acquireLease = (): Promise<unknown> => new Promise((resolve) => (give = resolve));
    const refused = expect(
      changing({ acquireLease, openModel, releaseLease: hanging }),
    ).rejects.toBeInstanceOf(ReadStoreUnavailableError);
    await jest.advanceTimersByTimeAsync(10_100);
    await refused;
    give(lease);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(openModel).not.toHaveBeenCalled();
  });
});

describe('Rebuilds that were interrupted', () => {
  it('are looked for again when the read store does not answer at a start', async () => {
    jest.useRealTimers();
    const warned: string[] = [];
    const find = jest.fn(() => Promise.resolve([])).mockRejectedValueOnce(new Error('there is no server'));
    const builds = new ModelBuilds(
      standIn<ConstructorParameters<typeof ModelBuilds>[0]>({
        projections: [standIn<Projection>({ name: 'messages' })],
        readStore: standIn<ReadStore>({
          openModel: () => Promise.resolve({ isRemoved: () => false, collection: () => ({ find }) }),
        }),
        logger: { warn: (_: object, message: string) => void warned.push(message) },
        stopping: new AbortController().signal,
      }),
    );
    await builds.keepBuilding([]);
    expect(find).toHaveBeenCalledTimes(2);
    expect(warned).toEqual(['Whether rebuilds were interrupted cannot be read for now']);
  });
});

describe('A projector whose read store takes long to open its version', () => {
  it('says so every few seconds', async () => {
    const [warned, reported]: [object[], object[]] = [[], []];
    const warn = (fields: object): void => void warned.push(fields);
    const readStore = {
      servingVersion: () => Promise.resolve(3_000),
      openModel: hanging,
      atomicBatches: true,
    };
    const stores = standIn<EngineStores>({ readStore });
    const projection = standIn<Projection>({ name: 'messages', version: 3, collections: [], on: {} });
    const settings = standIn<OperatorSettings>({
      of: () => Promise.resolve({ isPaused: false, discarded: [] }),
    });
    const projector = new Projector(stores, projection, {
      processName: 'a process',
      logger: { info: warn, warn, error: warn },
      listener: (progress) => reported.push(progress),
      settings,
    });
    void projector.run(new AbortController().signal);
    await jest.advanceTimersByTimeAsync(10_100);
    expect(warned).toHaveLength(2);
    expect(reported).toHaveLength(2);
    expect(reported[1]).toMatchObject({ projection: 'messages', state: 'unavailable' });
    expect(JSON.stringify(reported[1])).toContain('has not opened it for 10 s');
  });
});
