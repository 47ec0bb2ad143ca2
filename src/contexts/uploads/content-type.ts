import mime from 'mime';

/** A media type without parameters (RFC 9110, section 8.3). */
const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/;

const unknownType = 'application/octet-stream';

/** Types that clients send when they do not know: the first by programs, the second by the rules of forms. */
const undeclared: ReadonlySet<string> = new Set([unknownType, 'text/plain']);

/** The content type of a file: declared by the client, else derived from its name. */
export function contentTypeOf(declared: string, fileName: string): string {
  const type = declared.trim().toLowerCase();
  if (wellFormed.test(type) && !undeclared.has(type)) return type;
  return mime.getType(fileName) ?? (type === 'text/plain' && !fileName.includes('.') ? type : unknownType);
}
