import type { Attachment, Email } from 'postal-mime';
import { contentTypeOf } from '../uploads/content-type.js';

/** A file that came with a mail. */
export interface AttachedFile {
  /** The file's name in the mail, without a path. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The files of a mail. */
export interface AttachedFiles {
  readonly kept: readonly AttachedFile[];
  /** How many more files there were than a message can name. */
  readonly left: number;
}

/** The links to this many files leave room for the text of the mail. */
const maxFiles = 10;
const maxNameLength = 200;

/** The files of a mail, images within its text included. */
export function filesOf({ attachments }: Pick<Email, 'attachments'>): AttachedFiles {
  const kept = attachments.slice(0, maxFiles).map(fileOf);
  return { kept, left: attachments.length - kept.length };
}

function fileOf({ filename, mimeType, content }: Attachment): AttachedFile {
  const [last = ''] = (filename ?? '').split(/[\\/]/).slice(-1);
  const printable = last.replaceAll(/\p{Cc}/gu, '').trim();
  const name = [...printable].slice(-maxNameLength).join('') || 'attachment';
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  return { name, contentType: contentTypeOf(mimeType, name), content: bytes };
}
