import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { ConsoleWindow } from './test-browser.js';
import { TestConsole } from './test-console.js';

const folder = resolve('docs/images');

/** What somebody looks at, and how it is known to be there. */
interface Picture {
  readonly name: string;
  readonly path: string;
  /** Waits until what is to be seen is there. */
  readonly ready: (window: ConsoleWindow) => Promise<unknown>;
}

/** Who talks about what, so that the pages have something to show. */
interface Scene {
  readonly channelId: number;
  readonly messageId: number;
}

/** A program: takes the pictures of the console's pages for the documentation. */
async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const environment = { SEAL_EVERY_EVENTS: '12' };
  const testConsole = await TestConsole.start({ environment });
  try {
    const scene = await played(testConsole);
    for (const picture of picturesOf(scene)) {
      const window = await testConsole.open(picture.path);
      await picture.ready(window);
      await window.page.screenshot({ path: join(folder, `console-${picture.name}.png`) });
      await testConsole.closeWindows();
    }
  } finally {
    await testConsole.stop();
  }
}

function picturesOf({ channelId, messageId }: Scene): readonly Picture[] {
  return [
    {
      name: 'overview',
      path: '/overview',
      ready: ({ page }) => page.getByText('All is well.').first().waitFor(),
    },
    {
      name: 'log',
      path: '/log',
      ready: ({ page }) => page.getByText('MessageEdited').first().waitFor(),
    },
    {
      name: 'message',
      path: `/messages/${messageId}`,
      ready: async ({ page }) => {
        await page.getByRole('button', { name: 'Who could see it then' }).first().click();
        await page.getByRole('region', { name: /^Who could see it then/ }).waitFor();
      },
    },
    {
      name: 'time-machine',
      path: `/time-machine?channel=${channelId}&topic=bearings`,
      ready: ({ page }) => page.locator('.said').first().waitFor(),
    },
    {
      name: 'proofs',
      path: '/proofs',
      ready: async ({ page }) => {
        await page.getByRole('button', { name: 'Verify the log' }).click();
        await page.getByText('Nothing is amiss', { exact: true }).waitFor();
      },
    },
  ];
}

async function played({ server, owner }: TestConsole): Promise<Scene> {
  const people = [];
  for (const name of ['Ada Quill', 'Ben Loom', 'Cleo Vane'])
    people.push(await server.createUser(owner, name));
  const [ada, ben, cleo] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const channelId = await ada.client.createChannel('engines', { principals: people.map(({ id }) => id) });
  const say = (client: ApiClient, topic: string, content: string): Promise<number> =>
    client.sendToChannel('engines', topic, content);
  const messageId = await say(ada.client, 'bearings', 'The **third** bearing runs hot, at 61 °C.');
  await say(ben.client, 'bearings', 'Since when? It was fine on Monday.');
  await ada.client.must('patch', `messages/${messageId}`, {
    content: 'The **second** bearing runs hot, at 61 °C.',
  });
  await cleo.client.must('post', `messages/${messageId}/reactions`, { emoji_name: 'eyes' });
  await say(cleo.client, 'bearings', 'Since the new grease, I think. Changing it back tonight.');
  const gone = await say(ben.client, 'bearings', 'Wrong channel, sorry.');
  await owner.must('delete', `messages/${gone}`);
  await ben.client.must('post', 'messages/flags', { op: 'add', flag: 'read', messages: [messageId] });
  for (const part of ['cylinder', 'valve', 'governor'])
    await say(ben.client, 'inspection', `Looked at the ${part}: good.`);
  await owner.must('patch', `users/${cleo.id}`, { role: 300 });
  const seals = async (): Promise<readonly unknown[]> =>
    (await owner.must('get', 'audit/seals'))['seals'] as readonly unknown[];
  await eventually(seals, (made) => made.length > 2);
  return { channelId, messageId };
}

await main();
