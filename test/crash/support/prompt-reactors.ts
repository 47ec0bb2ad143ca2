import { engineTiming, type EngineTiming } from '../../../projections/engine/timing.js';

/**
 * Reactors learn at once of the events that do not concern them, so that whoever waits until they have passed everything does not wait until
 * they store their checkpoints: these count as durable writes, before which processes are cut off.
 */
export const promptReactors: EngineTiming = { ...engineTiming, reactorPositionDelay: 0 };
