import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import type { NavigationViewDocument } from '../../read-model.js';
import { PersonalReader } from '../../personal-reader.js';
import type { NavigationViewObject } from '../../personal.replies.js';

/** The views of a person's menu of which they said something, in the order in which they did. */
export class GetNavigationViews extends Query<readonly NavigationViewObject[]> {
  constructor(readonly caller: Pick<Caller, 'userId'>) {
    super();
  }
}

@QueryHandler(GetNavigationViews)
export class GetNavigationViewsHandler implements IQueryHandler<GetNavigationViews> {
  constructor(private readonly reader: PersonalReader) {}

  async execute({ caller: { userId } }: GetNavigationViews): Promise<readonly NavigationViewObject[]> {
    const views = await this.reader.navigationViews();
    return (await views.find({ userId }, { sort: { viewId: 1 } })).map(navigationViewObject);
  }
}

/** A view in the words of the API. */
export function navigationViewObject({
  fragment,
  isPinned,
  name,
}: Pick<NavigationViewDocument, 'fragment' | 'isPinned' | 'name'>): NavigationViewObject {
  return { fragment, is_pinned: isPinned, name };
}
