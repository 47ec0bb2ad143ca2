import type { OutgoingEmail } from './email.js';

/** The `Message-ID` of an e-mail: constant, however often it is sent. */
export function messageId({ id, from }: Pick<OutgoingEmail, 'id' | 'from'>): string {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'palimpsest.localhost';
  return `<${id}@${domain}>`;
}
