import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { Decisions } from '../../../../http/decisions.js';
import { navigationViewsOf, type NavigationView } from '../navigation-views.state.js';
import {
  decideAddNavigationView,
  ViewChange,
  decideChangeNavigationView,
  decideRemoveNavigationView,
} from '../navigation-views.decide.js';

/** Adds a view to the caller's navigation (`POST /navigation_views`). */
export class AddNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly view: Omit<NavigationView, 'viewId'>,
  ) {
    super();
  }
}

@CommandHandler(AddNavigationView)
export class AddNavigationViewHandler implements ICommandHandler<AddNavigationView> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, view }: AddNavigationView): Promise<void> {
    await this.decisions.decide(caller, navigationViewsOf(caller.userId), (views) =>
      decideAddNavigationView(views, view, caller),
    );
  }
}

/** Pins, hides or renames a navigation view of the caller (`PATCH /navigation_views/{fragment}`). */
export class ChangeNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly change: ViewChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeNavigationView)
export class ChangeNavigationViewHandler implements ICommandHandler<ChangeNavigationView> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, change }: ChangeNavigationView): Promise<void> {
    await this.decisions.decide(caller, navigationViewsOf(caller.userId), (views) =>
      decideChangeNavigationView(views, change, caller),
    );
  }
}

/** Removes a navigation view of the caller (`DELETE /navigation_views/{fragment}`). */
export class RemoveNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly fragment: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveNavigationView)
export class RemoveNavigationViewHandler implements ICommandHandler<RemoveNavigationView> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, fragment }: RemoveNavigationView): Promise<void> {
    await this.decisions.decide(caller, navigationViewsOf(caller.userId), (views) =>
      decideRemoveNavigationView(views, fragment, caller),
    );
  }
}
