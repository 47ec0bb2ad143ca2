import sharp, { type Metadata, type Sharp } from 'sharp';
import { budgets } from '../../../kernel/budgets.js';
import { thumbnailSize, type ImageFacts } from '../../../markdown/media.js';
import type { DrawTask, ExaminedImage, ImageTask } from './image-task.js';

/** Maximum width and height of WebP, in pixels. */
const MAX_WEBP_SIDE = 16_383;

sharp.concurrency(1);
sharp.cache(false);
// Blocks all decoders except those of images that messages show.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`),
});

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
  webp: 'image/webp',
};

/** Performs one task; null: the bytes are not an image that can be shown. */
export async function perform(
  task: ImageTask,
  bytes: Uint8Array,
): Promise<ExaminedImage | Uint8Array | null> {
  try {
    return task.kind === 'examine' ? await examine(bytes) : await draw(bytes, task);
  } catch {
    // Any decoder error means that the image cannot be shown.
    return null;
  }
}

/** Decodes the header, then every pixel, so that invalid images are found. */
async function examine(bytes: Uint8Array): Promise<ExaminedImage | null> {
  const facts = factsOf(await opened(bytes, false).metadata());
  if (facts === null) return null;
  const { isAnimated, isTranscoded } = facts;
  // Messages also link to the whole image in another format, which must not turn out to take too much then.
  if (isTranscoded) await draw(bytes, { isAnimated, isWhole: true });
  return { facts, thumbnail: await draw(bytes, { isAnimated, isWhole: false }) };
}

function factsOf(metadata: Metadata): ImageFacts | null {
  const { format, compression, autoOrient, width, height, pages = 1 } = metadata;
  const contentType = types[String(format) === 'heif' && compression === 'av1' ? 'avif' : format];
  if (contentType === undefined || width * height * pages > budgets.examinedPixels.max) return null;
  const isTranscoded = contentType === 'image/tiff';
  if (isTranscoded && Math.max(width, height) > MAX_WEBP_SIDE) return null;
  const isAnimated = pages > 1 && (contentType === 'image/gif' || contentType === 'image/webp');
  return { contentType, width: autoOrient.width, height: autoOrient.height, isAnimated, isTranscoded };
}

async function draw(bytes: Uint8Array, { isAnimated, isWhole }: Omit<DrawTask, 'kind'>): Promise<Uint8Array> {
  const image = opened(bytes, isAnimated).autoOrient();
  const sized = isWhole ? image : image.resize({ ...thumbnailSize, fit: 'inside', withoutEnlargement: true });
  return sized.webp({ quality: 75, effort: 2 }).toBuffer();
}

function opened(bytes: Uint8Array, isAnimated: boolean): Sharp {
  return sharp(bytes, {
    limitInputPixels: budgets.examinedPixels.max,
    animated: isAnimated,
    failOn: 'error',
  });
}
