import type { FastifyRequest } from 'fastify';
import { buffer } from 'node:stream/consumers';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { imageHeaderOf } from './image-header.js';
import { type FileReception, receiveFile, receiveFileIfAny, type ReceivedFile } from './received-file.js';

/** An image that came whole. */
export interface ReceivedImage {
  readonly bytes: Buffer;
  /** The last part of a name for it, without the dot. */
  readonly extension: string;
}

/**
 * Reads a multipart body with one image, for endpoints that are declared with `acceptsFiles`. What it shows is not
 * looked at, and it is kept as it came.
 *
 * @throws ApplicationError `badImage`, `imageTooLarge`, and those of {@link receiveFile}
 */
export async function receiveImage(request: FastifyRequest): Promise<ReceivedImage> {
  return imageIn(await receiveFile(request, reception));
}

/** The same where the image may be left out, or the body is no multipart one; null: there is none. */
export async function receiveImageIfAny(request: FastifyRequest): Promise<ReceivedImage | null> {
  if (request.headers['content-type']?.startsWith('multipart/form-data') !== true) return null;
  const received = await receiveFileIfAny(request, reception);
  return received === null ? null : imageIn(received);
}

const reception: FileReception<Buffer> = {
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
