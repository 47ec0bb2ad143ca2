import {
  areSame,
  type DifferingDocument,
  differingDocuments,
  digestModel,
  documentIn,
} from '../../projections/engine/compare-models.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { openModel } from '../../projections/engine/open-model.js';
import { OperatorSettings, type DiscardedEvent } from '../../projections/engine/operator-settings.js';
import { pause } from '../../projections/engine/pause.js';
import type { EngineStores } from '../../projections/engine/projection-runner.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { BuildProgress } from '../../projections/engine/projector-protocol.js';
import { buildUp } from '../../projections/engine/build-model.js';
import { projectionVersion } from '../../projections/engine/stored-version.js';
import { makeTemporaryFolder } from '../runtime/temporary-folder.js';
import { openEmbeddedReadStore } from '../stores/read-store/embedded/embedded-read-store.js';
import type { ModelStore, ReadStore } from '../stores/read-store/port.js';
import { OperatorError } from '../kernel/errors.js';

/** The result of comparing a live model with a rebuilt one. */
export interface ProjectionVerification {
  readonly projection: string;
  readonly servingVersion: number;
  /** Digest of the rebuilt model. */
  readonly rebuilt: string;
  /** Digest of the live model. If the server is running, it may include more events. */
  readonly live: string;
  /** Events that were discarded: neither model includes them. */
  readonly discarded: readonly DiscardedEvent[];
  /** The documents that differ although both models include the same events. */
  readonly differing: readonly DifferingDocument[];
}

/** No serving version of the model can be rebuilt by this code. */
class NotVerifiableError extends OperatorError {
  override readonly name = 'NotVerifiableError';
}

/**
 * The server may change documents during the comparison: differing documents are compared again, this often and at
 * this interval.
 */
const LOOKS = 40;
const LOOK_MILLISECONDS = 100;

/** The most differing documents that are named. */
const MAX_NAMED = 100;

/**
 * Rebuilds a model in a folder for temporary files, and compares the live model with it, document by document. The
 * live model may change meanwhile.
 *
 * @throws NotVerifiableError, PoisonEventError
 */
export async function verifyProjection(
  stores: EngineStores,
  projection: Projection,
  onProgress: (progress: BuildProgress) => void,
): Promise<ProjectionVerification> {
  const servingVersion = await stores.readStore.servingVersion(projection.name);
  if (servingVersion === null || projectionVersion(servingVersion) !== projection.version) {
    throw new NotVerifiableError(`No version of ${projection.name} serves that this program could rebuild.`);
  }
  const folder = makeTemporaryFolder('verify');
  const readStore = openEmbeddedReadStore({ directory: folder.path });
  try {
    const { model: live } = await openModel(stores.readStore, projection, servingVersion);
    const discarded = await copyDiscarded(projection.name, stores.readStore, readStore);
    const { signal } = new AbortController();
    const build = async (): Promise<ModelStore> => {
      const options = { processName: 'verification', logger: silentLogger, signal, onProgress };
      return (await buildUp({ log: stores.log, readStore }, { projection, version: 1 }, options)).model;
    };
    const rebuilt = await build();
    const differing = await settleDifferences(projection, { live, rebuilt, build });
    return {
      projection: projection.name,
      servingVersion,
      discarded,
      rebuilt: await digestModel({ projection, model: rebuilt }),
      live: await digestModel({ projection, model: live }),
      differing,
    };
  } finally {
    await readStore.close();
    await folder.remove();
  }
}

interface Compared {
  readonly live: ModelStore;
  readonly rebuilt: ModelStore;
  /** Applies the events that were appended meanwhile to the rebuilt model. */
  readonly build: () => Promise<unknown>;
}

/** The differing documents that still differ when both models include the same events. */
async function settleDifferences(
  projection: Projection,
  { live, rebuilt, build }: Compared,
): Promise<readonly DifferingDocument[]> {
  const suspects = new Map<string, DifferingDocument>();
  for await (const document of differingDocuments(projection, live, rebuilt)) {
    suspects.set(JSON.stringify([document.collection, document.id]), document);
  }
  for (let look = 0; suspects.size > 0 && look < LOOKS; look += 1) {
    await build();
    for (const [key, { collection, id }] of suspects) {
      const one = await documentIn(live, collection, id);
      const other = await documentIn(rebuilt, collection, id);
      if (areSame(one, other)) suspects.delete(key);
      else suspects.set(key, { collection, id, one, other });
    }
    if (suspects.size > 0) await pause(LOOK_MILLISECONDS, new AbortController().signal);
  }
  return [...suspects.values()].slice(0, MAX_NAMED);
}

/** The rebuild must skip the events that operators discarded, too. */
async function copyDiscarded(
  projection: string,
  from: ReadStore,
  to: ReadStore,
): Promise<readonly DiscardedEvent[]> {
  const { discarded } = await new OperatorSettings(from).of(projection);
  if (discarded.length > 0)
    await new OperatorSettings(to).change(
      projection,
      (settings) => ({ ...settings, discarded }),
      'verification',
    );
  return discarded;
}
