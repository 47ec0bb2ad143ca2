import { streamsOf } from '../../../kernel/decision.js';
import { personalStream } from '../../../events/personal.js';
import type { Fold } from '../../../kernel/fold.js';
import { failure } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { NavigationViewEvent } from '../../../events/navigation-views.js';

/** A navigation view. */
export type NavigationView = {
  readonly viewId: number;
  /** The unique URL hash that identifies it. */
  readonly fragment: string;
  readonly isPinned: boolean;
  /** Null for a built-in view. */
  readonly name: string | null;
};

/** A person's changed and own views, in the order in which they were added. */
export interface NavigationViews {
  readonly views: readonly NavigationView[];
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Maximum length of a view's fragment and name, in characters. */
export const viewFragment = { name: 'fragment', max: 1000 } as const;
export const viewName = { name: 'name', max: 100, isName: true } as const;

/** The views that every client has, with their own names. */
const builtInViews: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** Whether a view is built in, so that it cannot be renamed. */
export function isBuiltInView(fragment: string): boolean {
  return builtInViews.has(fragment);
}

/** @throws ApplicationError `navigationViewNameTaken` when another view of the person's has the name */
export function refuseTakenName({ views }: NavigationViews, fragment: string, name: string): void {
  if (views.some((view) => view.name === name && view.fragment !== fragment)) {
    throw failure('navigationViewNameTaken');
  }
}

/** @throws ApplicationError `noSuchNavigationView` */
export function viewAt({ views }: NavigationViews, fragment: string): NavigationView {
  const view = views.find((candidate) => candidate.fragment === fragment);
  if (view === undefined) throw failure('noSuchNavigationView');
  return view;
}

/** Folds a person's navigation views out of their stream. */
export const navigationViewsFold: Fold<NavigationViews, RecordedEvent<NavigationViewEvent>> = {
  snapshot: { name: 'navigation-views', version: 1 },
  initial: { views: [], nextRevision: 0 },
  evolve({ views }, event) {
    const nextRevision = event.revision + 1;
    switch (event.type) {
      case 'NavigationViewAdded': {
        const { userId: _user, ...view } = event.data;
        return { views: [...views, view], nextRevision };
      }
      case 'NavigationViewChanged': {
        const { viewId, isPinned, name } = event.data;
        const changed = views.map((view) =>
          view.viewId === viewId
            ? { ...view, isPinned: isPinned ?? view.isPinned, name: name ?? view.name }
            : view,
        );
        return { views: changed, nextRevision };
      }
      case 'NavigationViewRemoved': {
        const { viewId } = event.data;
        return { views: views.filter((view) => view.viewId !== viewId), nextRevision };
      }
      default:
        return { views, nextRevision };
    }
  },
};

/** A person's navigation views, for decisions about them. */
export const navigationViewsOf = streamsOf(personalStream, navigationViewsFold);
