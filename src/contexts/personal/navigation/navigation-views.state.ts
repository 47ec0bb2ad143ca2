import { streamsOf } from '../../../kernel/stream.js';
import { personalStream } from '../../../events/personal-stream.js';
import type { Fold } from '../../../kernel/decider.js';
import { failure } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { NavigationViewEvent } from '../../../events/navigation-views.js';

/** A view of a person's menu. */
export type NavigationView = {
  readonly viewId: number;
  /** The unique URL hash that identifies it. */
  readonly fragment: string;
  readonly isPinned: boolean;
  /** Null for a view that every client has. */
  readonly name: string | null;
};

/** The views of which a person said something, in the order in which they did. */
export interface NavigationViews {
  readonly views: readonly NavigationView[];
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** How long the fragment and the name of a view may be, in characters. */
export const viewFragment = { name: 'fragment', most: 1000 } as const;
export const viewName = { name: 'name', most: 100, isName: true } as const;

/** The views that every client has, with names of its own (facts, section 2, navigation_views). */
const builtInViews: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** Whether every client has the view, so that it takes no name. */
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

/** A person's views, by the stream of what they said of them. */
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
