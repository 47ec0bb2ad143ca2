import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Access } from './api/access.js';

/** The heading of the page in the navigation. */
export type Section = 'Operate' | 'Audit' | 'Account';

/** A page of the console. */
export interface ConsolePage {
  /** Below `/console`, in wouter's syntax: `/messages/:id?`. */
  readonly path: string;
  readonly title: string;
  readonly section: Section;
  /** Who can see the page. The server checks each request again. */
  readonly isFor: (access: Access) => boolean;
  /** The address in the navigation; absent: the path without optional parts. Null: the page is not in the navigation. */
  readonly link?: string | null;
  readonly component: LazyExoticComponent<ComponentType>;
}

const operators = ({ may_operate }: Access): boolean => may_operate;
const auditors = ({ may_audit }: Access): boolean => may_audit;

/** The page for downloading one's own data. */
export const YOUR_DATA = '/your-data';

/** The page for setting up a second factor. */
export const SECOND_FACTOR = '/second-factor';

/** All pages, in the order of the navigation. To add one, add its entry (console/README.md). */
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
    component: lazy(async () => ({ default: (await import('./pages/histories/histories.js')).People })),
  },
  {
    path: '/channels/:id?',
    title: 'Channels',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({ default: (await import('./pages/histories/histories.js')).Channels })),
  },
  {
    path: '/messages/:id?',
    title: 'Message',
    section: 'Audit',
    isFor: auditors,
    component: lazy(async () => ({
      default: (await import('./pages/message-life/message-life.js')).MessageTimeline,
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
    // The account menu has the link.
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

/** The address of a page in the navigation; null: it is not in it. */
export function linkOf({ path, link }: ConsolePage): string | null {
  return link === undefined ? path.replace(/\/:.*$/, '') : link;
}

export function pagesFor(access: Access): readonly ConsolePage[] {
  return pages.filter(({ isFor }) => isFor(access));
}
