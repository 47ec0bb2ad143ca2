import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideAddNavigationView,
  decideChangeNavigationView,
  decideRemoveNavigationView,
} from '../../src/contexts/personal/navigation/navigation-views.decide.js';
import type { NavigationViewEvent } from '../../src/events/navigation-views.js';
import {
  navigationViewsFold,
  type NavigationViews,
} from '../../src/contexts/personal/navigation/navigation-views.state.js';
import { refusal, TestLog } from '../support/given.js';

const ada = { userId: 3 };
const stream = 'user-3';
const links = { fragment: 'narrow/has/link', isPinned: true, name: 'Links' };
const images = { fragment: 'narrow/has/image', isPinned: false, name: 'Images' };
const inbox = { fragment: 'inbox', isPinned: false, name: null };

function stateOf(log: TestLog): NavigationViews {
  return log.fold<NavigationViews, NavigationViewEvent>(navigationViewsFold, stream);
}

function withViews(...views: readonly (typeof links | typeof inbox)[]): TestLog {
  const log = new TestLog();
  for (const view of views) {
    log.append<NavigationViewEvent>(stream, decideAddNavigationView(stateOf(log), view, ada));
  }
  return log;
}

function refusalToAdd(log: TestLog, view: typeof links | typeof inbox): string | null {
  return refusal(() => decideAddNavigationView(stateOf(log), view, ada));
}

function refusalToChange(log: TestLog, fragment: string, name: string | null): string | null {
  return refusal(() => decideChangeNavigationView(stateOf(log), { fragment, isPinned: true, name }, ada));
}

describe('a navigation view', () => {
  it('of one’s own has a name, a built-in one has none', () => {
    const log = withViews(links, inbox);
    expect(stateOf(log).views).toEqual([
      { viewId: 1, ...links },
      { viewId: 2, ...inbox },
    ]);
    expect(refusalToAdd(new TestLog(), { ...inbox, name: 'Post' })).toBe('builtInViewNamed');
    expect(refusalToAdd(new TestLog(), { ...links, name: null })).toBe('customViewUnnamed');
  });

  it.each([
    ['a blank fragment', { ...links, fragment: ' ' }, 'textBlank'],
    ['a long fragment', { ...links, fragment: 'a'.repeat(1001) }, 'textTooLong'],
    ['a blank name', { ...links, name: ' ' }, 'textBlank'],
    ['a long name', { ...links, name: 'a'.repeat(101) }, 'textTooLong'],
  ])('is refused with %s', (_what, view, error) => {
    expect(refusalToAdd(new TestLog(), view)).toBe(error);
  });

  it('shares neither its fragment nor its name with another', () => {
    const log = withViews(links, images);
    expect(refusalToAdd(log, { ...links, name: 'Other' })).toBe('navigationViewExists');
    expect(refusalToAdd(log, { ...links, fragment: 'narrow/x' })).toBe('navigationViewNameTaken');
    expect(refusalToChange(log, images.fragment, links.name)).toBe('navigationViewNameTaken');
    expect(refusalToChange(log, links.fragment, links.name)).toBeNull();
  });

  it('is missed only after its name was looked at', () => {
    const log = withViews(links);
    expect(refusalToChange(log, 'inbox', 'Post')).toBe('builtInViewNamed');
    expect(refusalToChange(log, 'narrow/x', 'Links')).toBe('navigationViewNameTaken');
    expect(refusalToChange(log, 'narrow/x', 'Other')).toBe('noSuchNavigationView');
    expect(refusalToChange(log, 'inbox', null)).toBe('noSuchNavigationView');
    expect(refusal(() => decideRemoveNavigationView(stateOf(log), 'inbox', ada))).toBe(
      'noSuchNavigationView',
    );
  });

  it('changes only in given values that differ', () => {
    const log = withViews(links);
    const { fragment } = links;
    const same = { fragment, isPinned: true, name: 'Links' };
    expect(decideChangeNavigationView(stateOf(log), same, ada)).toEqual([]);
    const hidden = decideChangeNavigationView(stateOf(log), { ...same, isPinned: false }, ada);
    expect(hidden).toEqual([
      { type: 'NavigationViewChanged', data: { ...ada, viewId: 1, fragment, isPinned: false, name: null } },
    ]);
    log.append<NavigationViewEvent>(stream, hidden);
    expect(stateOf(log).views).toEqual([{ viewId: 1, ...links, isPinned: false }]);
  });

  it('gives its fragment and its name back when it is removed', () => {
    const log = withViews(links);
    log.append<NavigationViewEvent>(stream, decideRemoveNavigationView(stateOf(log), links.fragment, ada));
    expect(decideAddNavigationView(stateOf(log), links, ada)).toMatchObject([{ data: { viewId: 3 } }]);
  });

  it('is one of a number that a person may have', () => {
    const views = Array.from({ length: budgets.navigationViews.max }, (_view, at) => ({
      ...links,
      fragment: `narrow/${at}`,
      name: `View ${at}`,
    }));
    expect(refusalToAdd(withViews(...views), links)).toBe('tooManyNavigationViews');
  });
});
