import type { InitialState } from '../../realtime/initial-state.js';
import { GetPresences } from './queries/presence.js';
import { presenceRequestOf } from './visible-presence.js';

/** Who is present. */
export const presenceState: InitialState = {
  presence: async ({ queries, options: { presence } }) => ({
    ...(await queries.execute(new GetPresences(presenceRequestOf(presence)))),
  }),
};
