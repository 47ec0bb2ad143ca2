import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Configuration } from '../../config.js';
import { failure } from '../../kernel/errors.js';
import { asApplicationError } from '../as-application-error.js';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES, MAX_PATH_PARAMETER_LENGTH, parseForm } from '../bodies.js';
import { errorBody } from '../envelope.js';
import { requestId } from '../operations/request-id.js';
import { replyToError } from '../reply-to-error.js';
import { RouteIndex } from './route-index.js';
import { answerUnrouted } from './unrouted.js';

/** The longest that a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT = 120_000;

/** Nest's Fastify adapter, with bodies and unknown paths left to this folder. */
export class HttpAdapter extends FastifyAdapter {
  /** Every route of the application. */
  readonly routes = new RouteIndex();

  constructor({ trustedProxies }: Pick<Configuration, 'trustedProxies'>) {
    super({ ...serverOptions(trustedProxies), skipMiddie: true });
    this.routes.follow(this.getInstance<FastifyInstance>());
  }

  /** Nest would register parsers for JSON and forms here: see `bodies.ts` instead. */
  override registerParserMiddleware(): void {}

  /** Nest's own answer would be the same for an unknown path and for an unknown verb. */
  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>().setNotFoundHandler((request, reply) => {
      answerUnrouted(this.routes, request, reply);
      return reply;
    });
  }
}

function serverOptions(trustedProxies: readonly string[]): FastifyHttpOptions<Server> {
  return {
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: MAX_BODY_BYTES,
    genReqId: requestId,
    requestTimeout: REQUEST_TIMEOUT,
    // While it stops, the server still answers what open connections send, and then closes them.
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, querystringParser: parseForm },
    frameworkErrors: (error, _request, reply) =>
      replyToError(reply as FastifyReply, asApplicationError(error)),
    clientErrorHandler: answerClientError,
  };
}

/** What cannot be read as HTTP, or only in part, is answered on the bare socket. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable && socket.bytesWritten === 0) {
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const body = JSON.stringify(
      errorBody(
        tooLarge ? failure('requestTooLarge') : failure('badRequest', { reason: 'Malformed request' }),
      ),
    );
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
