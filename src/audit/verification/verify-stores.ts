import { OperatorSettings, type SkippedEvent } from '../../../projections/engine/operator-settings.js';
import { projections } from '../../../projections/registry.js';
import { storedCheckpoint } from '../../operations/projection-report.js';
import { eventCatalog } from '../../stores/event-catalog.js';
import { EventCodec } from '../../stores/event-store/codec.js';
import { KeysMissingError } from '../../stores/key-store/port.js';
import type { Vault } from '../../stores/key-store/vault.js';
import { ReadStoreUnavailableError, type ReadStore } from '../../stores/read-store/port.js';
import { openReadStore } from '../../stores/stores.js';
import { openLogToInspect, openLogToRead, type LogStores } from '../../stores/open-log.js';
import type { StoreConfiguration } from '../../stores/store-configuration.js';
import { readRecordedEnd } from './recorded-end.js';
import type { VerificationReport, KnownTreeHead } from './report.js';
import { verifyLog, type VerificationOptions } from './verify-log.js';

/** How to verify the log of a configuration. */
interface StoresVerification {
  /** What the log is compared with, beside its own seals. */
  readonly knownTreeHeads: readonly KnownTreeHead[];
  /** Whether to use the keys: without them neither tags nor erasable content can be checked. */
  readonly withKeys: boolean;
  /** Called with the reason why the read models cannot show whether events are missing from the end. */
  readonly onUnreadModels?: (reason: string) => void;
  /** Called with the progress; an error thrown by it ends the verification. */
  readonly onProgress?: (progress: VerificationProgress) => void;
}

/** The progress of a verification. */
export interface VerificationProgress {
  readonly position: number;
  readonly events: number;
  /** Position of the end of the log when the verification began; null: the log is empty. */
  readonly head: number | null;
}

/**
 * The result, with the events that operators had read models skip: they are in the log, but missing from what is read.
 */
export type StoresReport = VerificationReport & { readonly discarded: readonly SkippedEvent[] };

/** Verifies the log of a configuration, while a server runs or not. */
export async function verifyStores(
  configuration: StoreConfiguration,
  { knownTreeHeads, withKeys, onUnreadModels = () => {}, onProgress = () => {} }: StoresVerification,
): Promise<StoresReport> {
  // Read before the log, so that events which a running server appends meanwhile do not count as missing.
  const models = await readModels(configuration, onUnreadModels);
  const inspection = await openLogToInspect(configuration);
  try {
    const head = await inspection.head();
    const check = (
      checking: Pick<VerificationOptions, 'codec' | 'tags' | 'recordedEnd'>,
    ): Promise<VerificationReport> =>
      verifyLog(inspection, {
        catalog: eventCatalog,
        ...checking,
        knownTreeHeads,
        passed: models.passed,
        onProgress: (position, events) => onProgress({ position, events, head }),
      });
    const usesKeys = withKeys && inspection.isUnreadable !== true;
    const report = usesKeys ? await withKeysOf(configuration, check) : await check({ codec: null });
    return { ...report, discarded: models.discarded };
  } finally {
    await inspection.close();
  }
}

type Checking = Pick<VerificationOptions, 'codec' | 'tags' | 'recordedEnd'>;

async function withKeysOf(
  configuration: StoreConfiguration,
  check: (checking: Checking) => Promise<VerificationReport>,
): Promise<VerificationReport> {
  const stores = await openLogToRead(configuration);
  try {
    return await check(await checkingWith(stores));
  } finally {
    await stores.close();
  }
}

/** What can be checked with the keys: the content of events, their tags, and the record of the log's end. */
async function checkingWith({ vault, tags, headRecords, eventStore }: LogStores): Promise<Checking> {
  const isTagged = await isTaggedOrUnknown(vault);
  const recordedEnd = await readRecordedEnd({ eventStore, headRecords, tagKey: tags.key, isTagged });
  // Tags are checked separately, so this codec need not check them.
  return { codec: new EventCodec(eventCatalog, vault), tags, recordedEnd };
}

async function isTaggedOrUnknown(vault: Vault): Promise<boolean | null> {
  try {
    return await vault.isTagged();
  } catch (error) {
    if (error instanceof KeysMissingError) return null;
    throw error;
  }
}

interface FromModels {
  /** The last position that the read models have processed; null: there are none, or they cannot be read. */
  readonly passed: number | null;
  readonly discarded: readonly SkippedEvent[];
}

async function readModels(
  configuration: StoreConfiguration,
  onUnreadModels: (reason: string) => void,
): Promise<FromModels> {
  try {
    const readStore = await openReadStore(configuration, { readOnly: true });
    try {
      return {
        passed: await furthestIn(readStore),
        discarded: await new OperatorSettings(readStore).allDiscarded(),
      };
    } finally {
      await readStore.close();
    }
  } catch (error) {
    if (!(error instanceof ReadStoreUnavailableError)) throw error;
    onUnreadModels(error.message);
    return { passed: null, discarded: [] };
  }
}

async function furthestIn(readStore: ReadStore): Promise<number | null> {
  const positions = await Promise.all(
    projections.map(async (projection) =>
      storedCheckpoint(projection, await readStore.servingVersion(projection.name), readStore),
    ),
  );
  return positions.reduce((one, other) => Math.max(one ?? -1, other ?? -1), null);
}
