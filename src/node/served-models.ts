import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { Projection } from '../../projections/engine/projection.js';
import { projections } from '../../projections/registry.js';
import type { Clock } from '../kernel/clock.js';
import { failure } from '../kernel/errors.js';
import { ServedModelsCheck } from '../operations/served-models-check.js';
import type { ServingModels } from '../stores/read-store/serving-models.js';
import type { Stores } from '../stores/stores.js';

/** The models that requests read, and how far they have come in the log. */
export class ServedModels {
  constructor(
    private readonly stores: Pick<Stores, 'eventStore' | 'readStore'>,
    private readonly models: ServingModels,
    private readonly clock: Clock,
  ) {}

  /** Creates the check whether the models that requests read follow the log. */
  check(positions: ModelPositions): ServedModelsCheck {
    const { eventStore } = this.stores;
    return new ServedModelsCheck({
      projections,
      eventStore,
      checkpointOf: (name) => this.servedPosition(name),
      report: ({ projection, ...served }) => positions.reportServed(projection, served),
    });
  }

  /** Position of the last event in a model; null: none. @throws ApplicationError `unavailable` while no version serves */
  async storedPosition(name: string): Promise<number | null> {
    const position = await this.servedPosition(name);
    if (position === undefined) throw failure('unavailable');
    return position;
  }

  /** Records the lag of every model at the start. */
  async noteBacklogs(positions: ModelPositions): Promise<void> {
    await Promise.all(projections.map((projection) => this.noteBacklog(projection, positions)));
  }

  /**
   * Records the lag of a model that exists at the start. After a crash, no process advances a model until its lease
   * has expired: the lag counts from the start, although this process has written nothing yet.
   */
  private async noteBacklog({ name, on }: Projection, positions: ModelPositions): Promise<void> {
    const { eventStore, readStore } = this.stores;
    if ((await readStore.servingVersion(name)) === null) return;
    const after = await this.storedPosition(name);
    for await (const { events } of eventStore.readAll({ after, types: Object.keys(on) })) {
      const [first] = events;
      if (first === undefined) continue;
      const age = this.clock.now() - Number(first.metadata['at']);
      return positions.expect(name, { position: events.at(-1)!.position, age });
    }
  }

  /** The checkpoint of the model that requests read; undefined while no version serves. */
  private async servedPosition(name: string): Promise<number | null | undefined> {
    const projection = projections.find((one) => one.name === name);
    if (projection === undefined) return null;
    const model = await this.models.find(name, projection.collections);
    if (model === null) return undefined;
    this.models.moved(name);
    return (await model.checkpoint()).position;
  }
}
