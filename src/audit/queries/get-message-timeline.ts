import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import {
  boundedTimeline,
  describedTimeline,
  type DescribedStep,
} from '../message-timeline/described-timeline.js';
import { readMessageTimeline, type MessageTimeline } from '../message-timeline/message-timeline.js';
import { movesOf } from '../past/message-moves.js';
import { PastSources } from '../past/past-sources.js';
import { withMovedCounts } from './moved-counts.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';

/** A message's history as the API shows it. */
export interface DescribedTimeline {
  readonly message_id: number;
  /** Null: the event that sent it cannot be read. */
  readonly sender_id: number | null;
  readonly steps: readonly DescribedStep[];
}

/** Reads the history of a message. The caller checks the permission and records the access. */
export class GetMessageTimeline extends Query<DescribedTimeline> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageTimeline)
export class GetMessageTimelineHandler implements IQueryHandler<GetMessageTimeline> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `invalidMessage`; the error of the deadline */
  async execute({ messageId }: GetMessageTimeline): Promise<DescribedTimeline> {
    const { sources } = this;
    return shownHistory(sources, await timelineIn(sources, messageId));
  }
}

/**
 * Reads a message's history.
 *
 * @throws ApplicationError `invalidMessage`: no message has this id; the error of the deadline
 */
export async function timelineIn(sources: PastSources, messageId: number): Promise<MessageTimeline> {
  const { log, deadline } = sources;
  const moves = await movesOf(sources, messageId);
  const onStep = (): void => deadline.throwIfOver();
  const timeline = await readMessageTimeline(log, messageId, { ...moves, onStep });
  if (timeline === null) throw failure('invalidMessage');
  return timeline;
}

/** Describes each step of a history, within what one reply may contain. @throws the error of the deadline */
export async function shownHistory(
  sources: Pick<PastSources, 'names' | 'deadline' | 'messages' | 'discarded'>,
  timeline: MessageTimeline,
): Promise<DescribedTimeline> {
  const events = await withMovedCounts(
    timeline.steps.map(({ event }) => event),
    sources,
  );
  const sentences = await sources.names.sentencesOf(events, sources.deadline);
  const { messageId, senderId, steps } = boundedTimeline(describedTimeline(timeline, sentences));
  return { message_id: messageId, sender_id: senderId, steps };
}
