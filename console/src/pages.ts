import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Access } from './api/access.js';

/** Under which heading the navigation shows a page. */
export type Section = 'Operate' | 'Audit' | 'Account';

/** A page of the console. */
export interface ConsolePage {
  /** Below `/console`, as wouter matches it: `/messages/:id?`. */
  readonly path: string;
  readonly title: string;
  readonly section: Section;
  /** Whom it is shown to. The server asks again for each request. */
  readonly isFor: (access: Access) => boolean;
  /** Where the navigation leads; absent: to the path, without what is optional. Null: it is not in the navigation. */
  readonly link?: string | null;
  readonly component: LazyExoticComponent<ComponentType>;
}

const operators = ({ may_operate }: Access): boolean => may_operate;
export const auditors = ({ may_audit }: Access): boolean => may_audit;

/** Where whoever is signed in downloads what is stored about them. */
export const YOUR_DATA = '/your-data';

/** Where whoever is signed in sets up a second factor. */
export const SECOND_FACTOR = '/second-factor';

/** Every page, in the order of the navigation. To add one, add its entry (console/README.md). */
export const pages: readonly ConsolePage[] = [
  {
    path: '/overview',
    title: 'Overview',
    section: 'Operate',
    isFor: operators,
    component: lazy(async () => ({ default: (await import('./pages/overview/overview.js')).Overview })),
  },
  {
    path: '/models',
    title: 'Read models',
    section: 'Operate',
    isFor: operators,
    component: lazy(async () => ({ default: (await import('./pages/models/models.js')).Models })),
  },
  {
    path: '/dead-letters',
    title: 'Dead letters',
    section: 'Operate',
    isFor: operators,
    component: lazy(async () => ({
      default: (await import('./pages/dead-letters/dead-letters.js')).DeadLetters,
    })),
  },
  {
    path: '/log',
    title: 'Log',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/log/log.js')).Log })),
  },
  {
    path: '/people/:id?',
    title: 'People',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/lives/lives.js')).People })),
  },
  {
    path: '/channels/:id?',
    title: 'Channels',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/lives/lives.js')).Channels })),
  },
  {
    path: '/messages/:id?',
    title: 'Message',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({
      default: (await import('./pages/message-life/message-life.js')).MessageLife,
    })),
  },
  {
    path: '/time-machine',
    title: 'Time machine',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({
      default: (await import('./pages/time-machine/time-machine.js')).TimeMachine,
    })),
  },
  {
    path: '/proofs',
    title: 'Proofs',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/proofs/proofs.js')).Proofs })),
  },
  {
    path: '/cases/:id?',
    title: 'Cases',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/cases/cases.js')).Cases })),
  },
  {
    path: YOUR_DATA,
    title: 'Your data',
    section: 'Account',
    isFor: () => true,
    // The menu of the account leads there.
    link: null,
    component: lazy(async () => ({ default: (await import('./pages/your-data/your-data.js')).YourData })),
  },
  {
    path: SECOND_FACTOR,
    title: 'Second factor',
    section: 'Account',
    isFor: () => true,
    link: null,
    component: lazy(async () => ({
      default: (await import('./pages/second-factor/second-factor.js')).SecondFactor,
    })),
  },
];

/** Where the navigation leads for a page; null: it is not in it. */
export function linkOf({ path, link }: ConsolePage): string | null {
  return link === undefined ? path.replace(/\/:.*$/, '') : link;
}

export function pagesFor(access: Access): readonly ConsolePage[] {
  return pages.filter(({ isFor }) => isFor(access));
}
