import { budgets } from '../../../kernel/budgets.js';
import { requiredText } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type {
  NavigationViewAdded,
  NavigationViewChanged,
  NavigationViewRemoved,
} from '../../../events/navigation-views.js';
import {
  isBuiltInView,
  refuseTakenName,
  viewFragment,
  viewName,
  viewAt,
  type NavigationView,
  type NavigationViews,
} from './navigation-views.state.js';

/**
 * @throws ApplicationError for a blank or too long fragment or name, `builtInViewNamed`, `customViewUnnamed`,
 * `navigationViewExists`, `navigationViewNameTaken`, `tooManyNavigationViews`
 */
export function decideAddNavigationView(
  state: NavigationViews,
  view: Omit<NavigationView, 'viewId'>,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof NavigationViewAdded>[] {
  const fragment = requiredText(view.fragment, viewFragment);
  const name = nameOf(view.name, fragment);
  if (state.views.some((other) => other.fragment === fragment)) throw failure('navigationViewExists');
  if (name !== null) refuseTakenName(state, fragment, name);
  if (state.views.length >= budgets.navigationViews.max) throw failure('tooManyNavigationViews');
  const { isPinned } = view;
  const viewId = idAtRevision(state.nextRevision);
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

/** The changes; null: no change. */
export interface ViewChange {
  readonly fragment: string;
  readonly isPinned: boolean | null;
  readonly name: string | null;
}

/**
 * The order of the checks decides which error clients get. No events when nothing changes.
 *
 * @throws ApplicationError `builtInViewNamed`, a blank or too long name, `navigationViewNameTaken`,
 * `noSuchNavigationView`
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

/** @throws ApplicationError `noSuchNavigationView` */
export function decideRemoveNavigationView(
  state: NavigationViews,
  fragment: string,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof NavigationViewRemoved>[] {
  const { viewId } = viewAt(state, fragment);
  return [{ type: 'NavigationViewRemoved', data: { userId, viewId, fragment } }];
}
