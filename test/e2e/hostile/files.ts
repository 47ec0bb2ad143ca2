import { pngOf } from '../../support/images.js';

/** Files that nobody means well with. */
export interface HostileFiles {
  /** What is wrong with them. */
  readonly what: string;
  readonly files: () => readonly File[];
}

function one(what: string, name: string, bytes: () => Buffer): HostileFiles {
  return { what, files: () => [new File([new Uint8Array(bytes())], name)] };
}

/** Bytes that begin like a JPEG and go on without ever saying how large it is. */
function endlessJpeg(): Buffer {
  const bytes = Buffer.alloc(4_000_000, 0xff);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]).copy(bytes);
  return bytes;
}

export const hostileFiles: readonly HostileFiles[] = [
  one('an empty file', 'a.png', () => Buffer.alloc(0)),
  one('a picture of a great many points', 'a.png', () => pngOf(2 ** 31 - 1, 2 ** 31 - 1)),
  one('a picture of no points', 'a.png', () => pngOf(0, 0)),
  one('a picture that is cut', 'a.png', () => pngOf(1, 1).subarray(0, 20)),
  one('a picture that never says how large it is', 'a.jpg', endlessJpeg),
  one('a picture of many elements', 'a.svg', () => Buffer.from(`<svg>${'<g>'.repeat(50_000)}`)),
  one('a picture of nothing', 'a.gif', () => Buffer.from('GIF89a')),
  one('a picture that lies about its lengths', 'a.webp', () =>
    Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff', 'latin1'),
  ),
  one('a file of a name of 5,000 characters', 'a'.repeat(5_000), () => pngOf(1, 1)),
  one('a file of a name that leads elsewhere', '../../\u0000\u202e/etc/passwd.png', () => pngOf(1, 1)),
  one('a file of no name', '', () => pngOf(1, 1)),
  one('a file of 6 MB', 'a.png', () => Buffer.alloc(6_000_000, 1)),
  { what: 'two files', files: () => [new File([pngOf(1, 1)], 'a.png'), new File(['x'], 'b.txt')] },
];
