import { GetPresences } from '../../presence/queries/get-presences.js';
import type { InitialState } from './initial-state.js';

/** How far back clients are told who was present, in milliseconds. */
const twoWeeks = 14 * 86_400_000;

/** Who is present. */
export const presenceState: InitialState = {
  presence: async ({ queries, options: { slimPresence: isSlim } }) => ({
    ...(await queries.execute(new GetPresences({ isSlim, afterUpdateId: null, within: twoWeeks }))),
  }),
};
