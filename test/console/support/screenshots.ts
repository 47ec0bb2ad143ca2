import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.js';
import { forgeEvent } from '../../support/forged-event.js';
import { ServerStores } from '../../support/server-stores.js';
import { picturesOf, troubledPictures, type Picture } from './pictures.js';
import { playScene } from './scene.js';
import { TestConsole } from './test-console.js';

const folder = resolve('docs/images');

/** Pixels of the picture for each of the page: it is sharp where it is shown in half its size. */
const SCALE = 2;
const QUALITY = 80;

/** So many figures over time that the charts of the overview have a course. */
const FIGURES = 6;

/** A program: takes the pictures of the console's pages for the documentation. */
async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-pictures-'));
  const environment = { SEAL_EVERY_EVENTS: '12' };
  const testConsole = await TestConsole.start({ directory, environment, stores: ServerStores.embedded() });
  try {
    const scene = await playScene(testConsole);
    await hasFigures(testConsole);
    for (const picture of picturesOf(scene)) await take(testConsole, picture);
    await trouble(testConsole, directory);
    for (const picture of troubledPictures) await take(testConsole, picture);
  } finally {
    await testConsole.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function take(testConsole: TestConsole, { name, path, look, ready }: Picture): Promise<void> {
  const window = await testConsole.open('/', { scale: SCALE, ...look });
  try {
    await window.page.goto(`${testConsole.server.site}${path}`);
    await ready(window);
    const picture = await window.page.screenshot({ animations: 'disabled' });
    await sharp(picture)
      .webp({ quality: QUALITY, effort: 6 })
      .toFile(join(folder, `console-${name}.webp`));
  } catch (error) {
    throw new Error(`The picture ${name} could not be taken`, { cause: error });
  } finally {
    await testConsole.closeWindows();
  }
}

async function hasFigures({ owner }: TestConsole): Promise<void> {
  const figures = async (): Promise<readonly number[]> => {
    const { overview } = await owner.must('get', 'audit/overview');
    return (overview as { readonly samples: { readonly at: readonly number[] } }).samples.at;
  };
  await eventually(figures, (at) => at.length >= FIGURES, 120_000);
}

/** Writes an event without a tag into the log: a read model stops before it. */
async function trouble({ owner }: TestConsole, directory: string): Promise<void> {
  const userId = (await owner.must('get', 'users/me'))['user_id'] as number;
  const data = { userId, ranges: [{ from: 1, through: 2 }] };
  forgeEvent(directory, { stream: `flags-${userId}`, type: 'MessagesMarkedRead', data, actorId: null });
  const letters = async (): Promise<readonly unknown[]> =>
    (await owner.must('get', 'audit/projections'))['dead_letters'] as readonly unknown[];
  await eventually(letters, (all) => all.length > 0);
}

await main();
