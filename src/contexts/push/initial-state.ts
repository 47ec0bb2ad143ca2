import { GetDevices } from './queries/get-devices.js';
import type { InitialState } from '../../realtime/initial-state.js';

/** The person's devices. */
export const deviceState: InitialState = {
  device: async ({ caller, queries }) => ({ devices: await queries.execute(new GetDevices(caller)) }),
};
