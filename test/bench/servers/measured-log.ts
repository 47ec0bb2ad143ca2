import { EventStoreDbProcess } from '../../support/eventstoredb-stand-in/process.js';
import type { StandInCounts } from '../../support/eventstoredb-stand-in/stand-in.js';

/** The EventStoreDB to measure: the stand-in, or a server that is already running. */
export interface MeasuredLog {
  readonly url: string;
  /** The number of requests to the log so far; null: not counted. */
  readonly counts: () => Promise<StandInCounts | null>;
  readonly close: () => Promise<void>;
}

/**
 * The server that `EVENTSTORE_URL` names, whose log must be empty and is not cleared afterwards; otherwise the
 * stand-in, in a separate process.
 */
export async function openMeasuredLog(): Promise<MeasuredLog> {
  const given = process.env['EVENTSTORE_URL'];
  if (given !== undefined)
    return { url: given, counts: () => Promise.resolve(null), close: () => Promise.resolve() };
  const standIn = await EventStoreDbProcess.start();
  return { url: standIn.url, counts: () => standIn.counts(), close: () => standIn.remove() };
}
