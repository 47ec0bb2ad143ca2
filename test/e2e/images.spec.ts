import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { ImageProcesses } from '../../src/contexts/uploads/images/image-processes.js';
import { Thumbnails } from '../../src/contexts/uploads/images/thumbnails.js';
import type { UploadDocument } from '../../src/contexts/uploads/read-model.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { TaskLimits } from '../../src/runtime/serve-tasks.js';
import type { EncryptedFiles } from '../../src/stores/file-store/encrypted-files.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { eventually } from '../support/eventually.js';
import { nestedOverlays } from '../support/nested-overlays.js';
import { standIn } from '../support/stand-in.js';
import { TestServer } from '../support/server.js';

const red = { r: 200, g: 30, b: 30 };

function picture(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: red } });
}

describe('uploaded images', () => {
  let server: TestServer;
  let owner: ApiClient;
  let ada: ApiClient;
  let bo: ApiClient;

  beforeAll(async () => {
    server = await TestServer.start();
    owner = await server.owner();
    ({ client: ada } = await server.createUser(owner, 'Ada'));
    ({ client: bo } = await server.createUser(owner, 'Bo'));
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'pictures' }],
      invite_only: true,
    });
  });

  afterAll(() => server.stop());

  async function uploaded(bytes: Uint8Array, name: string, type: string): Promise<string> {
    const { body } = await ada.upload('user_uploads', new File([bytes], name, { type }));
    return body['url'] as string;
  }

  async function contentOf(id: number): Promise<string> {
    const { message } = await ada.must('get', `messages/${id}`);
    return (message as { content: string }).content;
  }

  async function send(content: string): Promise<number> {
    const sent = await ada.must('post', 'messages', { type: 'channel', to: 'pictures', topic: 't', content });
    return sent['id'] as number;
  }

  it('are announced, shown by thumbnails, and served to who may see the file', async () => {
    const { state } = await ClientQueue.register(ada, ['realm']);
    expect(state['server_thumbnail_formats']).toEqual([
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
      { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
    ]);
    const turned = await picture(600, 1_200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const url = await uploaded(turned, 'cat.jpg', 'image/jpeg');
    const id = await send(`![cat](${url})`);
    const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
    await eventually(
      () => contentOf(id),
      (content) =>
        content ===
        `<p><img alt="cat" class="inline-image" data-original-content-type="image/jpeg" data-original-dimensions="1200x600" data-original-src="${url}" src="${thumbnail}"></p>`,
    );
    const response = await ada.fetch(thumbnail);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const drawn = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([drawn.format, drawn.width, drawn.height]).toEqual(['webp', 840, 420]);
    const status = await ada.must('get', `thumbnail/status/${url.replace('/user_uploads/', '')}`);
    expect(status['has_thumbnail']).toBe(true);
    expect((await bo.fetch(thumbnail)).status).toBe(404);
    expect((await ada.fetch(thumbnail.replace('840x560.webp', 'cat.webp'))).status).toBe(404);
    const { attachments } = await ada.must('get', 'attachments');
    const path = url.replace('/user_uploads/', '');
    const own = (attachments as { id: number; path_id: string }[]).find(({ path_id }) => path_id === path);
    await ada.must('delete', `attachments/${own!.id}`);
    expect((await ada.fetch(thumbnail)).status).toBe(404);
  });

  it('that no message shows do not hold up the events of clients', async () => {
    const queue = await ClientQueue.register(ada, ['user_status']);
    const examined = async (): Promise<number> =>
      (
        (await owner.must('get', 'audit/log', { type: 'UploadImageExamined', limit: 1000 }))[
          'events'
        ] as Reply[]
      ).length;
    const before = await examined();
    await uploaded(await picture(900, 600).png().toBuffer(), 'unseen.png', 'image/png');
    await eventually(examined, (count) => count === before + 1);
    await ada.must('post', 'users/me/status', { status_text: 'painting' });
    expect(await queue.next()).toMatchObject([{ type: 'user_status', status_text: 'painting' }]);
    expect(server.failures).toEqual([]);
  });

  it('that cannot be decoded stay links to their files', async () => {
    const cut = (await picture(300, 200).png().toBuffer()).subarray(0, 60);
    const url = await uploaded(cut, 'broken.png', 'image/png');
    const id = await send(`[broken](${url}) and ![broken](${url})`);
    const content = await eventually(
      () => contentOf(id),
      (html) => !html.includes('<img'),
    );
    expect(content).toContain(`<a href="${url}">broken</a>`);
  });

  it('that were shown before anybody looked are told of again, without an edit', async () => {
    const queue = await ClientQueue.register(ada, ['update_message']);
    // Many pixels in few bytes: messages are sent before anybody has seen them all.
    const many = await picture(8_000, 8_000).png().toBuffer();
    let sent: { readonly id: number; readonly url: string };
    do {
      const url = await uploaded(many, 'a.png', 'image/png');
      sent = { id: await send(`[a](${url})`), url };
    } while (!(await contentOf(sent.id)).includes('image-loading-placeholder'));
    const thumbnail = `${sent.url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
    let event: Reply | undefined;
    while (event === undefined) event = (await queue.next()).find((one) => one['message_id'] === sent.id);
    expect(event).toMatchObject({
      type: 'update_message',
      rendering_only: true,
      user_id: null,
      message_ids: [sent.id],
      rendered_content: expect.stringContaining(`data-original-dimensions="8000x8000" src="${thumbnail}"`),
      flags: [],
    });
    const { message } = await ada.must('get', `messages/${sent.id}`);
    expect(message).not.toHaveProperty('last_edit_timestamp');
  });
});

const entry = join('dist', 'src', 'contexts', 'uploads', 'images', 'image-process.js');
const warnings: unknown[] = [];
const logger = { warn: (fields: object) => void warnings.push(fields) };

describe('the processes that decode images', () => {
  const processes = new ImageProcesses({ logger, entry });
  afterAll(() => processes.onModuleDestroy());

  it('knows animations, and refuses what has more pixels than may be looked at', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const examined = await processes.examine(gif);
    expect(examined?.facts).toEqual({
      contentType: 'image/gif',
      width: 40,
      height: 30,
      isAnimated: true,
      isTranscoded: false,
    });
    expect((await sharp(examined!.thumbnail, { animated: true }).metadata()).pages).toBe(2);
    const side = Math.ceil(Math.sqrt(budgets.examinedPixels.max)) + 1;
    expect(await processes.examine(await picture(side, side).png().toBuffer())).toBeNull();
    expect(await processes.examine(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull();
  });

  it('is not given files that are larger than may be looked at', async () => {
    const thumbnails = new Thumbnails(
      processes,
      standIn<EncryptedFiles>({
        openExisting: () => Promise.reject(new Error('It was opened')),
      }),
    );
    const size = budgets.examinedMebibytes.max * 1_048_576 + 1;
    const upload = standIn<UploadDocument>({ storageName: '1/ab/cd', contentKey: 'k', size });
    expect(await thumbnails.examine(upload)).toBeNull();
    await expect(thumbnails.examine({ ...upload, size: size - 1 })).rejects.toThrow('It was opened');
  });
});

describe('an image that is made to take too much', () => {
  const limits: TaskLimits = { seconds: budgets.examinedSeconds.max, bytes: budgets.examinedMemory.max };
  const endless = Buffer.from(nestedOverlays, 'base64');

  beforeEach(() => {
    warnings.length = 0;
  });

  /** What is known of an image, and then of one that anybody may send. */
  async function examinedBefore(bytes: Uint8Array, one: TaskLimits): Promise<readonly unknown[]> {
    const processes = new ImageProcesses({ logger, entry, limits: one });
    try {
      const hostile = await processes.examine(bytes);
      const honest = await processes.examine(await picture(30, 20).png().toBuffer());
      return [hostile, honest?.facts.width];
    } finally {
      await processes.onModuleDestroy();
    }
  }

  it('of processor time cannot be shown, and the next one can', async () => {
    expect(await examinedBefore(endless, { ...limits, seconds: 1 })).toEqual([null, 30]);
    expect(warnings).toHaveLength(1);
  });

  it('of memory cannot be shown, and the next one can', async () => {
    const large = await picture(6_000, 6_000).png({ progressive: true }).toBuffer();
    const bytes = 150 * 1_048_576;
    expect(await examinedBefore(large, { ...limits, bytes })).toEqual([null, 30]);
    expect(warnings).toHaveLength(1);
    expect(await examinedBefore(large, limits)).not.toContain(null);
  });

  it('does not delay thumbnails of others, nor the end of the server', async () => {
    const processes = new ImageProcesses({ logger, entry, limits });
    const examined = processes.examine(endless).catch((error: unknown) => error);
    const drawing = { isAnimated: false, isWhole: false };
    expect(await processes.draw(await picture(30, 20).png().toBuffer(), drawing)).not.toBeNull();
    await processes.onModuleDestroy();
    expect(await examined).toMatchObject({ row: 'unavailable' });
  });

  it('is told apart from a process that cannot be started', async () => {
    const processes = new ImageProcesses({ logger, entry: join('dist', 'missing.js'), limits });
    await expect(processes.examine(endless)).rejects.toThrow('could not be started');
    await processes.onModuleDestroy();
  });
});

describe('thumbnails that are waited for', () => {
  const still = { contentType: 'image/png', width: 9, height: 9, isAnimated: false, isTranscoded: false };
  const upload = (name: string) => standIn<UploadDocument>({ storageName: name, size: 9, image: still });

  /** Thumbnails whose files are read when a test lets them. */
  function waiting() {
    const read: string[] = [];
    const drawn: string[] = [];
    let letGo = (): void => {};
    const released = new Promise<void>((resolve) => (letGo = resolve));
    const files = standIn<EncryptedFiles>({
      isErased: () => Promise.resolve(false),
      openExisting: async ({ name }: { readonly name: string }) => {
        read.push(name);
        await released;
        return Readable.from([Buffer.from(name)]);
      },
    });
    const drawing = standIn<ImageProcesses>({
      draw: (bytes: Uint8Array) => {
        drawn.push(Buffer.from(bytes).toString());
        return Promise.resolve(bytes);
      },
    });
    return { thumbnails: new Thumbnails(drawing, files), read, drawn, letGo };
  }

  it('are limited for each person before their files are read, and people take turns', async () => {
    const { thumbnails, read, drawn, letGo } = waiting();
    const { max } = budgets.thumbnailsWaitingOfPerson;
    const find = (person: number, name: string) => thumbnails.find(upload(name), '840x560.webp', person);
    const flood = Array.from({ length: max + 2 }, (_, index) => find(1, `1/${index}`));
    const other = find(2, '2/0');
    const outcomes = Promise.allSettled(flood);
    await expect(flood.at(-1)).rejects.toMatchObject({ row: 'unavailable' });
    expect(read).toEqual(['1/0', '2/0']);
    letGo();
    expect((await other)?.name).toBe('840x560.webp');
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(max + 1);
    expect(drawn.indexOf('2/0')).toBeLessThan(3);
  });

  it('are limited for all people together', async () => {
    const { thumbnails, read, letGo } = waiting();
    const people = Array.from({ length: budgets.thumbnailsWaiting.max + 3 }, (_, index) => index + 1);
    const asked = people.map((person) => thumbnails.find(upload(`${person}/0`), '840x560.webp', person));
    const outcomes = Promise.allSettled(asked);
    await expect(asked.at(-1)).rejects.toMatchObject({ row: 'unavailable' });
    expect(read).toHaveLength(2);
    letGo();
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
