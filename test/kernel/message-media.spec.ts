import { describe, expect, it } from '@jest/globals';
import { Placements } from '../../src/contexts/messages/placements.js';
import { mediaMappers } from '../../src/contexts/messages/client-events/media.js';
import type { MessageModels } from '../../src/contexts/messages/client-events/client-models.js';
import { nearestName } from '../../src/contexts/uploads/images/thumbnails.js';
import { decideExamineImage } from '../../src/contexts/uploads/uploads.decide.js';
import { uploadsFold, UPLOADS_STREAM } from '../../src/contexts/uploads/uploads.state.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { UploadedMedia } from '../../src/markdown/media.js';
import { renderMarkdown } from '../../src/markdown/render.js';
import { NO_CLIENT_EVENT } from '../../src/realtime/mapper.js';
import { standIn } from '../support/stand-in.js';
import { TestLog } from '../support/given.js';

const storageName = `1/ab/${'c'.repeat(38)}`;
const address = `/user_uploads/${storageName}/f.bin`;

function media(contentType: string, image: Partial<UploadedMedia['image']> | null = null): UploadedMedia {
  const still = { contentType, width: 30, height: 20, isAnimated: false, isTranscoded: false };
  return { storageName, contentType, image: image && { ...still, ...image }, isExamined: true };
}

function html(content: string, ...known: readonly UploadedMedia[]): string {
  return renderMarkdown(content, {}, known).html;
}

describe('an upload in a text', () => {
  it.each<[string, UploadedMedia, [string, string]]>([
    ['animated', media('image/gif', { isAnimated: true }), ['data-animated="true"', '/840x560-anim.webp"']],
    [
      'in another format',
      media('image/tiff', { isTranscoded: true }),
      ['data-transcoded-image="30x20.webp"', '/840x560.webp"'],
    ],
  ])('is an image that says that it is %s', (_, known, [attribute, end]) => {
    for (const text of [`![a](${address})`, `[a](${address})`]) {
      expect(html(text, known)).toContain(attribute);
      expect(html(text, known)).toContain(`src="/user_uploads/thumbnail/${storageName}/f.bin${end}`);
    }
  });

  it('that links to an image shows it behind the paragraph', () => {
    expect(html(`see [a cat](${address})`, media('image/png', {}))).toBe(
      `<p>see <a href="${address}">a cat</a></p>\n<div class="message_inline_image"><a href="${address}" title="a cat"><img data-original-content-type="image/png" data-original-dimensions="30x20" src="/user_uploads/thumbnail/${storageName}/f.bin/840x560.webp"></a></div>`,
    );
  });

  it('is a player for sounds, with a title where there is one', () => {
    expect(html(`![song](${address})`, media('audio/mpeg'))).toBe(
      `<p><audio controls preload="metadata" src="${address}" title="song"></audio></p>`,
    );
    expect(html(`![](${address})`, media('audio/mpeg'))).not.toContain('title');
  });

  it('is a player for films', () => {
    expect(html(`[film](${address})`, media('video/quicktime'))).toContain(
      `<video preload="metadata" src="${address}"></video>`,
    );
  });

  it('stays text where it is nothing to show, and where it is not known', () => {
    for (const known of [[], [media('application/pdf')], [media('image/heic')]]) {
      expect(html(`![x](${address})`, ...known)).not.toMatch(/<(img|audio|video)/);
    }
    expect(html(`![x](https://example.com/${address})`, media('image/png', {}))).not.toContain(
      'inline-image',
    );
  });

  it('escapes what is written beside it', () => {
    expect(html(`![a" onerror="x](${address})`, media('image/png', {}))).toContain(
      'alt="a&quot; onerror=&quot;x"',
    );
  });
});

it('An image is looked into once, and none that is gone', () => {
  const log = new TestLog();
  const file = { uploaderId: 3, storageName, contentKey: 'k', name: 'cat.png', size: 7 };
  log.append(UPLOADS_STREAM, [
    { type: 'FileUploaded', data: { uploadId: 1, contentType: 'image/png', ...file } },
    { type: 'FileUploaded', data: { uploadId: 2, contentType: 'text/plain', ...file } },
  ]);
  const state = () => log.fold(uploadsFold, UPLOADS_STREAM);
  const examine = (uploadId: number) => decideExamineImage(state(), { uploadId, image: null });
  expect([examine(1).length, examine(2).length, examine(3).length]).toEqual([1, 0, 0]);
  log.append(UPLOADS_STREAM, examine(1));
  expect(examine(1)).toEqual([]);
});

it('Thumbnails are found by the name that is nearest', () => {
  const still = media('image/png', {}).image!;
  const animated = media('image/gif', { isAnimated: true }).image!;
  const tiff = media('image/tiff', { isTranscoded: true }).image!;
  expect(nearestName('840x560-anim.webp', still)).toBe('840x560.webp');
  expect(nearestName('100x75-anim.jpg', animated)).toBe('840x560-anim.webp');
  expect(nearestName('30x20.webp', tiff)).toBe('30x20.webp');
  expect(nearestName('31x20.webp', tiff)).toBe('840x560.webp');
  expect(nearestName('../cat.png', still)).toBeNull();
});

it('Of an image that many messages show, the newest are told', async () => {
  const asked: number[] = [];
  const models = standIn<MessageModels>({
    messagesWith: (_id: number, limit: number) => {
      asked.push(limit);
      return Promise.resolve([]);
    },
    placements: () => Promise.resolve(new Placements()),
    flagsOfListeners: () => Promise.resolve(new Map()),
  });
  const event = { data: { uploadId: 1 } } as never;
  const { UploadImageExamined: line } = mediaMappers;
  if (line !== NO_CLIENT_EVENT) await line.read?.(event, models, null as never);
  expect(asked).toEqual([budgets.messagesRenderedAgain.max]);
});
