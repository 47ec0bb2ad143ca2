import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { requiredText } from '../../../../kernel/bounded-text.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { NavigationViewChanged } from '../../../../events/navigation-views.js';
import {
  isBuiltInView,
  navigationViewsFold,
  refuseTakenName,
  viewAt,
  viewName,
  type NavigationViews,
} from '../navigation-views.js';

/** Pins, hides or renames a view of the caller's menu (specification, PATCH /navigation_views/{fragment}). */
export class ChangeNavigationView extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly change: ViewChange,
  ) {
    super();
  }
}

/** What is null is left as it is. */
export interface ViewChange {
  readonly fragment: string;
  readonly isPinned: boolean | null;
  readonly name: string | null;
}

/**
 * The checks come in the order that clients know (facts, section 2). What is so already is no change.
 *
 * @throws ApplicationError `builtInViewNamed`, a blank or too long name, `navigationViewNameTaken`, `noSuchNavigationView`
 */
export function decideChangeNavigationView(
  state: NavigationViews,
  change: ViewChange,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof NavigationViewChanged>[] {
  const { fragment } = change;
  if (change.name !== null && isBuiltInView(fragment)) throw failure('builtInViewNamed');
  const wanted = change.name === null ? null : requiredText(change.name, viewName);
  if (wanted !== null) refuseTakenName(state, fragment, wanted);
  const view = viewAt(state, fragment);
  const isPinned = change.isPinned === view.isPinned ? null : change.isPinned;
  const name = wanted === view.name ? null : wanted;
  if (isPinned === null && name === null) return [];
  const { viewId } = view;
  return [{ type: 'NavigationViewChanged', data: { userId, viewId, fragment, isPinned, name } }];
}

@CommandHandler(ChangeNavigationView)
export class ChangeNavigationViewHandler implements ICommandHandler<ChangeNavigationView> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, change }: ChangeNavigationView): Promise<void> {
    await this.personal.apply(caller, {
      fold: navigationViewsFold,
      decide: (views) => decideChangeNavigationView(views, change, caller),
    });
  }
}
