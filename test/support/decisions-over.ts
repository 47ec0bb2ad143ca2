import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { Decisions } from '../../src/http/decisions.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import type { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { standIn } from './stand-in.js';

/** A `Decisions` for tests that pass the actor explicitly, so nobody is looked up. */
export function decisionsOver(streams: FoldedStreams): Decisions {
  return new Decisions(streams, standIn<DirectoryFollower>({}), new SystemClock());
}
