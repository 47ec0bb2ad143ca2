import { budgets } from '../../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { requiredText } from '../../../../kernel/bounded-text.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { NavigationViewAdded } from '../../../../events/navigation-views.js';
import {
  isBuiltInView,
  navigationViewsFold,
  refuseTakenName,
  viewFragment,
  viewName,
  type NavigationView,
  type NavigationViews,
} from '../navigation-views.js';

/** Says where a view stands in the caller's menu (facts, section 2, navigation_views). */
export class AddNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly view: Omit<NavigationView, 'viewId'>,
  ) {
    super();
  }
}

/**
 * @throws ApplicationError for a blank or too long fragment or name, `builtInViewNamed`, `customViewUnnamed`,
 * `navigationViewExists`, `navigationViewNameTaken`, `tooManyNavigationViews`
 */
export function decideAddNavigationView(
  state: NavigationViews,
  view: AddNavigationView['view'],
  { userId }: { readonly userId: number },
): readonly EventOf<typeof NavigationViewAdded>[] {
  const fragment = requiredText(view.fragment, viewFragment);
  const name = nameOf(view.name, fragment);
  if (state.views.some((other) => other.fragment === fragment)) throw failure('navigationViewExists');
  if (name !== null) refuseTakenName(state, fragment, name);
  if (state.views.length >= budgets.navigationViews.max) throw failure('tooManyNavigationViews');
  const { isPinned } = view;
  const viewId = state.nextRevision + 1;
  return [{ type: 'NavigationViewAdded', data: { userId, viewId, fragment, isPinned, name } }];
}

function nameOf(name: string | null, fragment: string): string | null {
  if (isBuiltInView(fragment)) {
    if (name !== null) throw failure('builtInViewNamed');
    return null;
  }
  if (name === null) throw failure('customViewUnnamed');
  return requiredText(name, viewName);
}

@CommandHandler(AddNavigationView)
export class AddNavigationViewHandler implements ICommandHandler<AddNavigationView> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, view }: AddNavigationView): Promise<void> {
    await this.personal.apply(caller, {
      fold: navigationViewsFold,
      decide: (views) => decideAddNavigationView(views, view, caller),
    });
  }
}
