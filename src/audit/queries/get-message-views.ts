import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { boundedViews, viewsOf, type MessageView } from '../past/message-views.js';
import { PastSources } from '../past/past-sources.js';
import { shownHistory, timelineIn, type DescribedTimeline } from './get-message-timeline.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';

/** A message's history, and what one account could see of the message. */
interface ViewedTimeline extends DescribedTimeline {
  readonly viewer_id: number;
  readonly views: readonly MessageView[];
  /** Whether later views were left out, because one reply has no room for them. */
  readonly views_cut: boolean;
}

/**
 * Reads the history of a message, and what a person could see of it at every moment. The caller checks the permission
 * and records the access.
 */
export class GetMessageViews extends Query<ViewedTimeline> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly viewerId: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageViews)
export class GetMessageViewsHandler implements IQueryHandler<GetMessageViews> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError like {@link timelineIn} and {@link viewsOf}; the error of the deadline */
  async execute({ messageId, viewerId }: GetMessageViews): Promise<ViewedTimeline> {
    const { sources } = this;
    const timeline = await timelineIn(sources, messageId);
    const all = await viewsOf(sources, timeline, viewerId);
    const views = boundedViews(all);
    const history = await shownHistory(sources, timeline);
    return { ...history, viewer_id: viewerId, views, views_cut: views.length < all.length };
  }
}
