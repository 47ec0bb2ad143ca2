import type { PastNode as OpenPastNode } from '../../audit/past/past-node.js';
import { positionAt } from '../../audit/past/position-at.js';
import { sealBefore } from '../../audit/sealing/seal-before.js';
import type { Configuration } from '../../config.js';
import type { LogStores } from '../../stores.js';
import { CommandFailedError } from '../command.js';
import type { Terminal } from '../terminal.js';
import type { PastMoment } from './moment.js';

/** Where to open the past. */
export interface PastOpening {
  readonly configuration: Configuration;
  readonly stores: LogStores;
  readonly terminal: Terminal;
}

/**
 * Opens the past as it was at a moment.
 *
 * @throws CommandFailedError when there was nothing yet
 */
export async function openPast(
  { configuration, stores, terminal }: PastOpening,
  moment: PastMoment,
): Promise<OpenPastNode> {
  const end = await endOf(moment, { stores, terminal });
  // The whole application is behind it: only who asks for the past loads it.
  const { PastNode } = await import('../../audit/past/past-node.js');
  const progresses = new Map<string, ReturnType<Terminal['progress']>>();
  const onProgress = (model: string, events: number): void => {
    const known = progresses.get(model) ?? terminal.progress(`Building ${model}`, null);
    progresses.set(model, known);
    known.set(events);
  };
  return PastNode.open({ configuration, stores, onProgress }, end);
}

async function endOf(
  moment: PastMoment,
  { stores: { eventStore }, terminal }: Pick<PastOpening, 'stores' | 'terminal'>,
): Promise<{ readonly position: number; readonly now: number }> {
  if ('time' in moment) {
    const progress = terminal.progress('Looking for the moment', await eventStore.head());
    const position = await positionAt(eventStore, moment.time, (at) => progress.set(at));
    progress.end();
    if (position === null) throw new CommandFailedError('There was nothing yet: the log begins later.');
    return { position, now: moment.time };
  }
  const { position } = moment;
  let now: number | null = null;
  for await (const { events } of eventStore.readAll({ after: await sealBefore(eventStore, position) })) {
    const first = events.find((event) => event.position >= position);
    now = first === undefined ? null : Number(first.metadata['at']);
    if (now !== null) break;
  }
  return { position, now: now ?? Date.now() };
}
