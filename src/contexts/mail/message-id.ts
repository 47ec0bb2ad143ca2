import type { PostedLetter } from './letter.js';

/** The `Message-ID` of a letter: the same whenever it is sent. */
export function messageId({ id, from }: Pick<PostedLetter, 'id' | 'from'>): string {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'palimpsest.localhost';
  return `<${id}@${domain}>`;
}
