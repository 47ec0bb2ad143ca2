import { setMaxListeners } from 'node:events';

/**
 * Creates the controller whose signal stops everything that runs in a thread. The number of listeners is not limited: every reactor,
 * job and projector is one, and Node would warn of a leak from the eleventh on.
 */
export function endingController(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
