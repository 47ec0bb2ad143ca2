import type { FastifyRequest } from 'fastify';
import { buffer } from 'node:stream/consumers';
import { failure } from '../../kernel/errors.js';
import { receiveFile } from './received-file.js';

/** An image that came whole. */
export interface ReceivedImage {
  readonly bytes: Buffer;
  /** The last part of a name for it, without the dot. */
  readonly extension: string;
}

/** Whole mebibytes of an image for an emoji, an account or the organization. */
const mostImageMebibytes = 5;

/** An image that takes more memory than this to show is an attack on whoever looks at it. */
const mostPixels = 90_000_000;

/** The kinds that every client shows, by the names that their recognition gives them: none of them is active content. */
const extensions: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpg', gif: 'gif', webp: 'webp' };

/**
 * Reads a multipart body with one image, for endpoints that are declared with `acceptsFiles`. What it shows is not
 * looked at, and it is kept as it came.
 *
 * @throws ApplicationError `badImage`, `imageTooLarge`, and those of {@link receiveFile}
 */
export async function receiveImage(request: FastifyRequest): Promise<ReceivedImage> {
  const { content: bytes } = await receiveFile(request, {
    mostMebibytes: mostImageMebibytes,
    keep: (stream) => buffer(stream),
    discard: () => Promise.resolve(),
  });
  const { type, width, height } = await dimensionsOf(bytes);
  const extension = extensions[type];
  if (extension === undefined || width < 1 || height < 1) throw failure('badImage');
  if (width * height > mostPixels) throw failure('imageTooLarge');
  return { bytes, extension };
}

interface Dimensions {
  readonly type: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

async function dimensionsOf(bytes: Buffer): Promise<Dimensions> {
  const { imageSize } = await import('image-size');
  try {
    const { type = '', width, height } = imageSize(bytes);
    return { type, width, height };
  } catch {
    throw failure('badImage');
  }
}
