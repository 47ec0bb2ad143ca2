import type { PastEnd, PastNode as OpenPastNode } from '../../node/past-node.js';
import type { PastMoment } from '../../audit/moment.js';
import { lastEventAt } from '../../audit/past/position-at.js';
import type { Configuration } from '../../config.js';
import type { LogStores } from '../../stores/open-log.js';
import { CommandFailedError } from '../command.js';
import type { Terminal } from '../terminal.js';
import { byPosition } from '../progress-line.js';
import { shownTime } from './moment.js';

/** What is needed to open the past. */
export interface PastOpening {
  readonly configuration: Configuration;
  readonly stores: LogStores;
  readonly terminal: Terminal;
}

/**
 * Opens the past as of a position or time.
 *
 * @throws CommandFailedError when the log was still empty then, and for a position after its end
 */
export async function openPast(
  { configuration, stores, terminal }: PastOpening,
  moment: PastMoment,
): Promise<OpenPastNode> {
  const end = await endOf(moment, { stores, terminal });
  // Loaded only when needed, because it imports the whole application.
  const { PastNode } = await import('../../node/past-node.js');
  const progresses = new Map<string, ReturnType<Terminal['progress']>>();
  const onProgress = (model: string, events: number): void => {
    const known = progresses.get(model) ?? terminal.progress(`Building ${model}`, null);
    progresses.set(model, known);
    known.set(events);
  };
  return PastNode.open({ configuration, stores, onProgress }, end);
}

/** Nothing changes after the last event: a later time shows the end of the log, and says so. */
async function endOf(
  moment: PastMoment,
  { stores: { eventStore }, terminal }: Pick<PastOpening, 'stores' | 'terminal'>,
): Promise<PastEnd> {
  const head = (await eventStore.head()) ?? 0;
  if ('position' in moment && moment.position > head) {
    throw new CommandFailedError(
      `The log ends at position ${head}: nothing stands at ${moment.position} yet.`,
    );
  }
  const progress = terminal.progress('Looking for the moment', head);
  const last = await lastEventAt(eventStore, moment, { onProgress: byPosition(progress, head) });
  progress.end();
  if (last === null) throw new CommandFailedError('There was nothing yet: the log begins later.');
  if ('position' in moment) return { position: moment.position, now: last.at };
  if (last.position < head) return { position: last.position, now: moment.time };
  if (moment.time > last.at) {
    terminal.say(
      `The log ends at position ${last.position}, ${shownTime(last.at)} UTC: this is how everything stands there.`,
    );
  }
  return { position: last.position, now: last.at };
}
