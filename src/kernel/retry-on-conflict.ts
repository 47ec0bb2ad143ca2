import { failure } from './errors.js';

/** How often a decision is made when other writers keep coming first, unless it says otherwise. */
export const DECISION_ATTEMPTS = 10;

/**
 * Makes a decision again while other writers come first.
 *
 * @param attempt null: another writer came first
 * @throws ApplicationError `unavailable` after the last attempt; what `attempt` throws
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let made = 0; made < DECISION_ATTEMPTS; made += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw failure('unavailable');
}
