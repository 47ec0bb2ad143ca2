import { setMaxListeners } from 'node:events';

/**
 * What ends all that runs in a thread. Node takes more than ten listeners to one signal for a leak; here every reactor, job and
 * projector is one, such as while all of them wait for their leases.
 */
export function endingController(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
