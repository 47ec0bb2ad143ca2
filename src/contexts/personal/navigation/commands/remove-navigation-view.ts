import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { NavigationViewRemoved } from '../../../../events/navigation-views.js';
import { navigationViewsFold, viewAt, type NavigationViews } from '../navigation-views.js';

/** Takes a view out of the caller's menu (DELETE /navigation_views/{fragment}). */
export class RemoveNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fragment: string,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchNavigationView` */
export function decideRemoveNavigationView(
  state: NavigationViews,
  fragment: string,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof NavigationViewRemoved>[] {
  const { viewId } = viewAt(state, fragment);
  return [{ type: 'NavigationViewRemoved', data: { userId, viewId, fragment } }];
}

@CommandHandler(RemoveNavigationView)
export class RemoveNavigationViewHandler implements ICommandHandler<RemoveNavigationView> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, fragment }: RemoveNavigationView): Promise<void> {
    await this.personal.apply(caller, {
      fold: navigationViewsFold,
      decide: (views) => decideRemoveNavigationView(views, fragment, caller),
    });
  }
}
