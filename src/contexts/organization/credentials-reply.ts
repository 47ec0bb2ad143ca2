import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { credentialsText, type ClientCredentials } from './credentials-file.js';

/** Replies with a credentials file for a browser to save. */
export function answerWithCredentials(reply: FastifyReply, credentials: ClientCredentials): StreamableFile {
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  return new StreamableFile(Buffer.from(credentialsText(credentials)), {
    type: 'text/plain; charset=utf-8',
    disposition: 'attachment; filename="zuliprc"',
  });
}
