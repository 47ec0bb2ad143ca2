import { budgets } from '../../kernel/budgets.js';

/** What the first bytes of an image say of it. */
export interface ImageHeader {
  /** The last part of a file's name, without the dot. */
  readonly extension: 'png' | 'gif' | 'webp' | 'jpg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Recognizes an image of the kinds that every client shows, none of which is active content. Reads headers alone: its time does
 * not grow with the size of the image.
 *
 * @returns null when it is of no such kind, or its header is cut short or makes no sense
 */
export function imageHeaderOf(bytes: Buffer): ImageHeader | null {
  try {
    return pngHeader(bytes) ?? gifHeader(bytes) ?? webpHeader(bytes) ?? jpegHeader(bytes);
  } catch (error) {
    if (isBeyondTheEnd(error)) return null;
    throw error;
  }
}

/** Whether something was read that the bytes do not reach to. */
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

/** Markers of the segments that say how large a JPEG is: every start of a frame, among which lie other markers. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Goes from segment to segment by the lengths that they state; what lies between two of them is not searched. */
function jpegHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  for (let count = 0; count < budgets.jpegSegments.max; count += 1) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (isFrameStart(marker)) {
      return { extension: 'jpg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // A marker may be preceded by any number of fill bytes; all segments before the first frame state their length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  return bytes.toString('latin1', start, start + length);
}
