import { GetDevices } from '../../push/queries/get-devices.js';
import type { InitialState } from './initial-state.js';

/** What notifications are sent to. */
export const deviceState: InitialState = {
  device: async ({ caller, queries }) => ({ devices: await queries.execute(new GetDevices(caller)) }),
};
