import type { ConsoleWindow, Look } from './test-browser.js';

/** What the pages have to show: ids of the scene that was played. */
export interface Scene {
  readonly channelId: number;
  readonly personId: number;
  readonly messageId: number;
  readonly caseId: number;
  /** Where the log stood before a message was deleted. */
  readonly before: number;
}

/** What somebody looks at, and how it is known to be there. */
export interface Picture {
  /** Of the file, without what all begin and end with. */
  readonly name: string;
  /** Below the server's address. */
  readonly path: string;
  /** Absent: the owner's, at a desk, by light. */
  readonly look?: Partial<Omit<Look, 'site'>>;
  /** Waits until what is to be seen is there. */
  readonly ready: (window: ConsoleWindow) => Promise<unknown>;
}

/** Pictures of a server that is well. */
export function picturesOf(scene: Scene): readonly Picture[] {
  return [...beforeSigningIn, ...pastPictures(scene), ...auditPictures(scene), ...ownPictures];
}

const beforeSigningIn: readonly Picture[] = [
  {
    name: 'front-page',
    path: '/',
    look: { credentials: null },
    ready: ({ page }) => page.getByRole('button', { name: 'Download zuliprc' }).waitFor(),
  },
  {
    name: 'sign-in',
    path: '/console/',
    look: { credentials: null, scheme: 'dark' },
    ready: ({ page }) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  },
];

function pastPictures({ channelId, messageId, before }: Scene): readonly Picture[] {
  const conversation = `/console/time-machine?channel=${channelId}&topic=bearings`;
  return [
    {
      name: 'message',
      path: `/console/messages/${messageId}`,
      ready: ({ page }) => page.locator('.diff ins').first().waitFor(),
    },
    {
      name: 'time-machine',
      path: `${conversation}&at=${before}`,
      ready: ({ page }) => page.locator('.said').getByText('deleted since').waitFor(),
    },
    {
      name: 'comparison',
      path: `${conversation}&with=${before}`,
      look: { scheme: 'dark' },
      ready: async ({ page }) => {
        await page.locator('.difference').first().waitFor();
        await page.getByRole('region', { name: 'What differs' }).evaluate(toTheTop);
      },
    },
  ];
}

function auditPictures({ channelId, personId, caseId }: Scene): readonly Picture[] {
  const life = ({ page }: ConsoleWindow): Promise<void> =>
    page.getByRole('table', { name: 'What happened' }).getByRole('row').nth(3).waitFor();
  return [
    {
      name: 'log',
      path: '/console/log?content=own',
      ready: ({ page }) => page.getByText('MessageEdited', { exact: true }).first().waitFor(),
    },
    {
      name: 'phone',
      path: `/console/log?channel_id=${channelId}`,
      look: { width: 'phone', scheme: 'dark' },
      ready: ({ page }) => page.getByRole('row').nth(3).waitFor(),
    },
    {
      name: 'event',
      path: '/console/log?type=MessageEdited',
      look: { scheme: 'dark' },
      ready: async ({ page }) => {
        await page.getByRole('row').nth(1).click();
        await page.getByRole('dialog').getByText('Hash', { exact: true }).waitFor();
      },
    },
    {
      name: 'people',
      path: '/console/people',
      ready: ({ page }) => page.getByRole('table', { name: 'People' }).getByRole('row').nth(3).waitFor(),
    },
    {
      name: 'channels',
      path: '/console/channels',
      look: { scheme: 'dark' },
      ready: ({ page }) => page.getByRole('table', { name: 'Channels' }).getByRole('row').nth(1).waitFor(),
    },
    { name: 'person', path: `/console/people/${personId}`, ready: life },
    { name: 'channel', path: `/console/channels/${channelId}`, look: { scheme: 'dark' }, ready: life },
    {
      name: 'proofs',
      path: '/console/proofs',
      ready: async ({ page }) => {
        await page.getByRole('button', { name: 'Verify the log' }).click();
        await page.getByText('Nothing is amiss', { exact: true }).waitFor();
      },
    },
    {
      name: 'cases',
      path: '/console/cases',
      ready: ({ page }) =>
        page.getByRole('region', { name: 'Every case' }).getByRole('link').first().waitFor(),
    },
    {
      name: 'case',
      path: `/console/cases/${caseId}`,
      ready: async ({ page }) => {
        await page.getByLabel('Words to search').fill('bearing');
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await page.getByText('Version 1, changed since:').scrollIntoViewIfNeeded();
      },
    },
  ];
}

const ownPictures: readonly Picture[] = [
  {
    name: 'models',
    path: '/console/models',
    ready: ({ page }) => page.getByText('follows the log').nth(5).waitFor(),
  },
  {
    name: 'second-factor',
    path: '/console/second-factor',
    ready: ({ page }) => page.getByRole('button', { name: 'Continue' }).waitFor(),
  },
  {
    name: 'your-data',
    path: '/console/your-data',
    ready: async ({ page }) => {
      await page.getByRole('button', { name: 'Make a copy' }).click();
      await page.getByRole('button', { name: 'Download your data' }).waitFor();
    },
  },
  {
    // The last one, because its figures are of some time.
    name: 'overview',
    path: '/console/overview',
    ready: async ({ page }) => {
      await page.getByText('All is well.').first().waitFor();
      await page.locator('.series canvas').first().waitFor();
    },
  },
];

/** Of a server that needs somebody. */
export const troubledPictures: readonly Picture[] = [
  {
    name: 'dead-letters',
    path: '/console/dead-letters',
    ready: ({ page }) => page.getByText('waiting', { exact: true }).first().waitFor(),
  },
];

/** Under the head of every page. */
const toTheTop = 'element => window.scrollTo(0, element.getBoundingClientRect().top - 72)';
