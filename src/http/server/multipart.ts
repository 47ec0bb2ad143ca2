import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { failure } from '../../kernel/errors.js';
import { type FormFields, MAX_FIELDS } from '../request-parameters.js';
import { MAX_NAME_BYTES } from './limits.js';

/** A multipart body whose files, if it has any, were dropped. */
interface MultipartForm {
  readonly fields: FormFields;
  readonly hasFile: boolean;
}

/**
 * Reads the fields of a multipart body; an empty body is an empty form. The rest of a refused body is read
 * and dropped, so that the connection can be reused.
 *
 * @param maxBytes maximum size of the whole body
 * @throws ApplicationError when it is malformed or too large
 */
export function readMultipart(
  body: Readable,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<MultipartForm> {
  let hasFile = false;
  const fields: FormFields = Object.create(null) as FormFields;
  return new Promise((resolve, reject) => {
    const parser = parserFor(headers, maxBytes);
    const refuse = (error: Error): void => {
      body.unpipe(parser);
      body.resume();
      reject(error);
    };
    let bytes = 0;
    body.on('data', ({ length }: Buffer) => {
      bytes += length;
      if (bytes > maxBytes) refuse(failure('requestTooLarge'));
    });
    body.once('error', refuse);
    parser.on('field', (name, text) => {
      fields[name] = text;
    });
    parser.on('filesLimit', () => {
      hasFile = true;
    });
    parser.on('fieldsLimit', () => refuse(failure('requestTooLarge')));
    parser.on('error', () => (bytes === 0 ? resolve({ fields, hasFile }) : refuse(malformed())));
    parser.on('finish', () => resolve({ fields, hasFile }));
    body.pipe(parser);
  });
}

function parserFor(headers: IncomingHttpHeaders, maxBytes: number): BusboyInstance {
  const limits = {
    fields: MAX_FIELDS,
    fieldNameSize: MAX_NAME_BYTES,
    fieldSize: maxBytes,
    files: 0,
    headerPairs: 50,
  };
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch {
    throw malformed();
  }
}

/** The error for a body that does not have the form that its content type says. */
export function malformed(): Error {
  return failure('malformedMultipart');
}
