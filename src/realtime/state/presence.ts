import { GetPresences } from '../../presence/queries/get-presences.js';
import type { InitialState } from './initial-state.js';

/** Who is present. */
export const presenceState: InitialState = {
  presence: async ({ queries, options: { presence } }) => ({
    ...(await queries.execute(new GetPresences(presence))),
  }),
};
