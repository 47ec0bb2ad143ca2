import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { ConsistentLog } from '../../src/http/consistency.js';
import { Decisions } from '../../src/http/decisions.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import type { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { standIn } from './stand-in.js';

/** For decisions after which nobody reads a read model. */
export const waitForNobody = standIn<ConsistentLog>({ waitUntilReadable: () => Promise.resolve() });

/** A `Decisions` for tests that pass the actor explicitly, so nobody is looked up. */
export function decisionsOver(streams: FoldedStreams, log = waitForNobody): Decisions {
  return new Decisions(streams, standIn<DirectoryFollower>({}), new SystemClock(), log);
}
