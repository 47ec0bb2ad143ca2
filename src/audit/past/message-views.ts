import { isDeepStrictEqual } from 'node:util';
import { AlertWordsAdded, AlertWordsRemoved } from '../../events/attention.js';
import { flagEvents } from '../../events/message-flags.js';
import { budgets } from '../../kernel/budgets.js';
import { foundEventsOf } from '../log-index/found-events.js';
import type { MessageTimeline } from '../message-timeline/message-timeline.js';
import { sentFactsOf } from './audience-marks.js';
import { assertFollowed } from './conversation/past-conversation-view.js';
import { modelledMoves } from './message-moves.js';
import type { PastSources } from './past-sources.js';
import { ViewedMessage, type MessageFacts, type SeenMessage, type ViewEvent } from './viewed-message.js';

/** What a person could see of a message from one moment until the next. */
export interface MessageView {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  /** The message in the form of the API; null: the person could not see it. */
  readonly message: SeenMessage | null;
}

/** A moment at which the view may have changed. */
type Moment = Pick<MessageView, 'position' | 'at'>;

/**
 * Tells what a person could see of a message at every moment of its history: what `GET messages/{message_id}` would
 * have answered. It is folded from the events of the message, the person's marks of it, and the few events that decide
 * access.
 *
 * @throws ApplicationError `unavailable` while the read model has not reached the last step; the error of the deadline
 */
export async function viewsOf(
  sources: PastSources,
  timeline: MessageTimeline,
  userId: number,
): Promise<readonly MessageView[]> {
  const [first, last] = [timeline.steps[0], timeline.steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  await assertFollowed(sources, await sources.messages.model(), last.position);
  const { deadline, permissions } = sources;
  const directory = (await permissions.at(first.position, deadline)).directory.copy();
  const seen = new ViewedMessage(await factsOf(sources, timeline.messageId), directory, userId);
  const own = await viewEventsOf(sources, timeline, userId);
  const views = new Views(first.position);
  let next = 0;
  const takeBefore = (position: number): void => {
    for (; next < own.length && own[next]!.event.position < position; next += 1) {
      const one = own[next]!;
      seen.take(one);
      views.note(momentOf(one), seen);
    }
  };
  for await (const event of permissions.changesAfter(first.position, deadline)) {
    takeBefore(event.position);
    directory.apply(event);
    views.note({ position: event.position, at: event.metadata.at }, seen);
  }
  takeBefore(Infinity);
  return views.all;
}

/** The first views whose texts fit into one reply, at least one. */
export function boundedViews(views: readonly MessageView[]): readonly MessageView[] {
  let left: number = budgets.messageViewCharacters.max;
  const end = views.findIndex(({ message }) => {
    left -= CHARACTERS_OF_VIEW + (message?.content.length ?? 0);
    return left < 0;
  });
  return end === -1 ? views : views.slice(0, Math.max(1, end));
}

/** About as many characters are written for a view besides the text. */
const CHARACTERS_OF_VIEW = 200;

async function factsOf(sources: PastSources, messageId: number): Promise<MessageFacts | null> {
  const modelled = await modelledMoves(sources, messageId);
  if (modelled === null) return null;
  const { message, placements: arrivals } = modelled;
  const placements = await sources.messages.placements();
  return { message, arrivals, placements, sent: await sentFactsOf(sources, message) };
}

/** The steps of the message, the person's marks of it and their alert words, in log order. */
async function viewEventsOf(
  sources: PastSources,
  { messageId, steps }: MessageTimeline,
  userId: number,
): Promise<readonly ViewEvent[]> {
  const own: ViewEvent[] = steps.map((event) => ({ kind: 'step', event }));
  for await (const event of foundEventsOf(sources, flagEvents, { messageId, aboutId: userId }))
    if (event.data.userId === userId) own.push({ kind: 'mark', event });
  const wordEvents = [AlertWordsAdded, AlertWordsRemoved] as const;
  for await (const event of foundEventsOf(sources, wordEvents, { aboutId: userId }))
    if (event.data.userId === userId) own.push({ kind: 'words', event });
  return own.sort((one, other) => one.event.position - other.event.position);
}

function momentOf(one: ViewEvent): Moment {
  const { event } = one;
  return { position: event.position, at: 'at' in event ? event.at : event.metadata.at };
}

/** The views so far; one that is like the view before it is left out. */
class Views {
  readonly all: MessageView[] = [];

  /** @param from position before which nothing is noted */
  constructor(private readonly from: number) {}

  note({ position, at }: Moment, seen: ViewedMessage): void {
    if (position < this.from) return;
    const message = seen.at(at);
    const last = this.all.at(-1);
    if (last === undefined || !isDeepStrictEqual(last.message, message))
      this.all.push({ position, at, message });
  }
}
