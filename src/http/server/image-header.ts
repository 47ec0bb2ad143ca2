import { budgets } from '../../kernel/budgets.js';

/** What the first bytes of an image say about it. */
interface ImageHeader {
  /** File extension without the dot. */
  readonly extension: 'png' | 'gif' | 'webp' | 'jpg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Recognizes images of the types that every client shows, none of which is active content. Reads headers
 * only, so its time does not depend on the size of the image.
 *
 * @returns null for any other type, and for a header that is incomplete or invalid
 */
export function imageHeaderOf(bytes: Buffer): ImageHeader | null {
  try {
    return pngHeader(bytes) ?? gifHeader(bytes) ?? webpHeader(bytes) ?? jpegHeader(bytes);
  } catch (error) {
    if (isBeyondTheEnd(error)) return null;
    throw error;
  }
}

/** Whether the error comes from reading beyond the end of the bytes. */
function isBeyondTheEnd(error: unknown): boolean {
  const codes: unknown[] = ['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'];
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(error.code);
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngHeader(bytes: Buffer): ImageHeader | null {
  if (!bytes.subarray(0, 8).equals(pngSignature) || textAt(bytes, 12, 4) !== 'IHDR') return null;
  return { extension: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifHeader(bytes: Buffer): ImageHeader | null {
  if (!/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return null;
  return { extension: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpHeader(bytes: Buffer): ImageHeader | null {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const extension = 'webp';
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X':
      return { extension, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) return null;
      const sizes = bytes.readUInt32LE(21);
      return { extension, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return { extension, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

/**
 * Whether a marker starts a frame, which has the size of a JPEG; a few markers in this range mean something
 * else.
 */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Follows the segments by their stated lengths, without searching their content. */
function jpegHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  for (let count = 0; count < budgets.jpegSegments.max; count += 1) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (isFrameStart(marker)) {
      return { extension: 'jpg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // A marker may be preceded by any number of fill bytes; all segments before the first frame state their
    // length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  return bytes.toString('latin1', start, start + length);
}
