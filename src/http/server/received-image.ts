import type { FastifyRequest } from 'fastify';
import { buffer } from 'node:stream/consumers';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { imageHeaderOf } from './image-header.js';
import { type FileStorage, receiveFile, receiveFileIfAny, type ReceivedFile } from './received-file.js';

/** An image that was received completely. */
export interface ReceivedImage {
  readonly bytes: Buffer;
  /** File extension without the dot. */
  readonly extension: string;
}

/**
 * Reads a multipart body with one image, for endpoints declared with `acceptsFiles`. The image is stored
 * unchanged, and only its header is examined.
 *
 * @throws ApplicationError `badImage`, `imageTooLarge`, and those of {@link receiveFile}
 */
export async function receiveImage(request: FastifyRequest): Promise<ReceivedImage> {
  request.state.keepsFileInMemory = true;
  return imageIn(await receiveFile(request, memoryStorage));
}

/**
 * Like {@link receiveImage} where the image is optional or the body is not multipart; null: none was sent.
 */
export async function receiveImageIfAny(request: FastifyRequest): Promise<ReceivedImage | null> {
  if (request.headers['content-type']?.startsWith('multipart/form-data') !== true) return null;
  request.state.keepsFileInMemory = true;
  const received = await receiveFileIfAny(request, memoryStorage);
  return received === null ? null : imageIn(received);
}

const memoryStorage: FileStorage<Buffer> = {
  maxMebibytes: budgets.imageMebibytes.max,
  keep: (stream) => buffer(stream),
  discard: () => Promise.resolve(),
};

function imageIn({ content: bytes }: ReceivedFile<Buffer>): ReceivedImage {
  const header = imageHeaderOf(bytes);
  if (header === null || header.width < 1 || header.height < 1) throw failure('badImage');
  if (header.width * header.height > budgets.imagePixels.max) throw failure('imageTooLarge');
  return { bytes, extension: header.extension };
}
