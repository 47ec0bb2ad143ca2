import { setTimeout as pause } from 'node:timers/promises';
import type { Projection } from '../../projections/engine/projection.js';
import { projections } from '../../projections/registry.js';
import type { EventStore } from '../stores/event-store/port.js';
import { OperatorError } from '../kernel/errors.js';
import { ownerKeyId } from '../stores/key-store/owner-keys.js';
import { storedCheckpoint } from '../operations/projection-report.js';
import { FIRST_OWNER_ID } from '../access/system-bots.js';
import type { ReadStore } from '../stores/read-store/port.js';
import type { Stores } from '../stores/stores.js';

/** The log lacks events that other stores refer to. The message is a sentence for the operator. */
class LogIncompleteError extends OperatorError {
  override readonly name = 'LogIncompleteError';
}

/** A consumer of the log and its checkpoint; null: none yet. */
interface Follower {
  readonly name: string;
  readonly position: number | null;
}

/** A replica of the event store may get the last events a moment late: milliseconds to wait for them. */
const TIMEOUT = 3_000;
const POLL_MILLISECONDS = 50;

/**
 * Makes sure, before anything is written, that the read models, keys and credentials belong to this log. If the log
 * was lost or is an older copy, new events would get positions that the other stores already use for other events.
 *
 * @throws LogIncompleteError, KeyUnwrapError, KeysMissingError
 */
export async function checkStores(stores: Stores): Promise<void> {
  const { eventStore, readStore, vault } = stores;
  // Read before the end of the log, because another process may be running, which appends to the log first.
  const followers = await storedModels(readStore);
  const hasSecrets = await hasSecretsOfAnyone(stores);
  await refuseShorterLog(eventStore, followers);
  const isBegun = (await eventStore.head()) !== null;
  if (hasSecrets && !isBegun) {
    throw new LogIncompleteError(
      'The event log is empty, but there are keys or credentials of an earlier one: restore the log that they belong to, or name an empty DATA_DIR',
    );
  }
  await vault.checkServerKey({ requireExisting: isBegun });
}

/**
 * Refuses a log that ends before the checkpoint of a consumer.
 *
 * @throws LogIncompleteError
 */
export async function refuseShorterLog(
  eventStore: EventStore,
  followers: readonly Follower[],
): Promise<void> {
  const until = performance.now() + TIMEOUT;
  for (;;) {
    const end = (await eventStore.head({ withSystemEvents: true })) ?? 0;
    const ahead = followers.find(({ position }) => position !== null && position > end);
    if (ahead === undefined) return;
    if (performance.now() < until) await pause(POLL_MILLISECONDS);
    else {
      throw new LogIncompleteError(
        `The event log ends at position ${end}, but ${ahead.name} has followed it to ${ahead.position}: ` +
          'events are missing, so restore the whole log; to go on without them, remove the read models first ' +
          '("rm -r DATA_DIR/models"; on MongoDB as docs/operate.md says)',
      );
    }
  }
}

async function storedModels(readStore: ReadStore): Promise<readonly Follower[]> {
  return (await Promise.all(projections.map((one) => storedVersions(one, readStore)))).flat();
}

async function storedVersions(projection: Projection, readStore: ReadStore): Promise<readonly Follower[]> {
  const { name } = projection;
  const versions = await readStore.modelVersions(name);
  return Promise.all(
    versions.map(async (version) => ({
      name: `the read model "${name}"`,
      position: await storedCheckpoint(projection, version, readStore),
    })),
  );
}

/** It is enough to check the first owner: the owner and the key of the owner's name exist from the beginning. */
async function hasSecretsOfAnyone({ keyStore, credentialStore }: Stores): Promise<boolean> {
  const id = ownerKeyId(FIRST_OWNER_ID);
  if ((await keyStore.get([id])).has(id)) return true;
  return (await credentialStore.apiKeys(FIRST_OWNER_ID)).length > 0;
}
