import { describe, expect, it } from '@jest/globals';
import { imageHeaderOf } from '../../src/http/server/image-header.js';
import { budgets } from '../../src/kernel/budgets.js';
import { pngOf } from '../support/images.js';

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(/[^0-9a-f]/g, ''), 'hex');
}

/** A comment segment of a JPEG, which decoders skip. */
function comment(length: number): Buffer {
  const head = hex('fffe 0000');
  head.writeUInt16BE(length + 2, 2);
  return Buffer.concat([head, Buffer.alloc(length)]);
}

const start = hex('ffd8');
const frame = hex('ffc0 0011 08 01e0 0280 03');

describe('the header of an image', () => {
  it.each([
    ['PNG', pngOf(640, 480), 'png'],
    ['GIF', Buffer.concat([Buffer.from('GIF89a'), hex('8002 e001')]), 'gif'],
    ['JPEG', Buffer.concat([start, frame]), 'jpg'],
    ['progressive JPEG', Buffer.concat([start, comment(65_000), hex('ffc2'), frame.subarray(2)]), 'jpg'],
    ['JPEG with fill bytes', Buffer.concat([start, comment(10), hex('ffff'), frame]), 'jpg'],
    [
      'lossy WebP',
      Buffer.concat([Buffer.from('RIFFxxxxWEBPVP8 xxxx'), hex('000000 9d012a 8002 e001')]),
      'webp',
    ],
    ['lossless WebP', Buffer.concat([Buffer.from('RIFFxxxxWEBPVP8Lxxxx'), hex('2f 7fc27700')]), 'webp'],
    [
      'extended WebP',
      Buffer.concat([Buffer.from('RIFFxxxxWEBPVP8Xxxxx'), hex('00000000 7f0200 df0100')]),
      'webp',
    ],
  ])('is read from a %s', (_kind, bytes, extension) => {
    expect(imageHeaderOf(bytes)).toEqual({ extension, width: 640, height: 480 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['a PNG that is cut short', pngOf(1, 1).subarray(0, 20)],
    ['a GIF that is cut short', Buffer.from('GIF89a')],
    ['a WebP of an unknown kind', Buffer.from('RIFFxxxxWEBPVP9 xxxxxxxxxxxxxxxxx')],
    ['a JPEG without a frame', Buffer.concat([start, comment(10)])],
    ['what begins like a JPEG', Buffer.concat([start, hex('ffe0 0010'), Buffer.alloc(5_000_000)])],
    [
      'what begins like a JPEG and goes on with fill bytes',
      Buffer.concat([start, Buffer.alloc(5_000_000, 255)]),
    ],
  ])('is not found in %s', (_what, bytes) => {
    expect(imageHeaderOf(bytes)).toBeNull();
  });

  it('is searched in a maximum number of segments of a JPEG', () => {
    const segments = (count: number) => Buffer.concat(Array.from({ length: count }, () => comment(0)));
    const max = budgets.jpegSegments.max;
    expect(imageHeaderOf(Buffer.concat([start, segments(max - 1), frame]))).not.toBeNull();
    expect(imageHeaderOf(Buffer.concat([start, segments(max), frame]))).toBeNull();
  });
});
