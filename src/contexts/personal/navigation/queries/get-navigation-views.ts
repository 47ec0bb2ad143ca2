import { navigationViewObject } from '../../personal.view.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { PersonalReader } from '../../personal-reader.js';
import type { NavigationViewObject } from '../../personal.replies.js';

/** The caller's changed and own views, in the order in which they were added. */
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
