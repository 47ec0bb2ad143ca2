import { StreamableFile } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Configuration } from '../../config.js';
import { failure } from '../../kernel/errors.js';
import { asApplicationError } from '../as-application-error.js';
import { type Answer, errorBody, RawEnvelope, successBody } from '../envelope.js';
import { parseForm } from '../form.js';
import { inOlderNames, isExistingClient } from '../older-names.js';
import { requestId } from '../monitoring/request-id.js';
import { replyToError } from '../reply-to-error.js';
import { ignoredParameters } from '../sent-parameters.js';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES, MAX_PATH_PARAMETER_LENGTH, REQUEST_TIMEOUT } from './limits.js';
import { setCommonHeaders } from './request-hooks.js';
import { RouteIndex } from './route-index.js';
import { answerUnrouted } from './unrouted.js';

/** Nest's Fastify adapter, with bodies, the envelope and unknown paths left to this folder. */
export class HttpAdapter extends FastifyAdapter {
  /** Every route of the application. */
  readonly routes = new RouteIndex();

  constructor({ trustedProxies }: Pick<Configuration, 'trustedProxies'>) {
    super({ ...serverOptions(trustedProxies), skipMiddie: true });
    this.routes.follow(this.getInstance<FastifyInstance>());
  }

  /**
   * Sends what a controller's method answered, in the envelope and always with 200: clients take nothing else for a
   * success. An interceptor would do the same at a quarter of the cost of the whole request.
   */
  override reply(reply: FastifyReply, answer: Answer): FastifyReply {
    if (answer instanceof StreamableFile) return super.reply(reply, answer, 200);
    const body = successBody(answer, ignoredParameters(reply.request));
    const isInOwnNames = answer instanceof RawEnvelope && answer.isInNamesOfClient;
    const knowsOlderNames = isExistingClient(reply.request.headers['user-agent']);
    return reply
      .status(200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(knowsOlderNames && !isInOwnNames ? inOlderNames(body) : body);
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
    // Clients of uploads in parts know the address with a slash at its end.
    rewriteUrl: ({ url = '/' }) => (url === '/api/v1/tus/' ? '/api/v1/tus' : url),
    // While it stops, the server still answers what open connections send, and then closes them.
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH, querystringParser: parseForm },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      replyToError(reply, asApplicationError(error));
    },
    clientErrorHandler: answerClientError,
  };
}

/** Routes have no schemas of Fastify's: parameters say themselves what they accept. Its compilers are a lot to load for nothing. */
function noSchemas(): never {
  throw new Error('Routes declare their parameters with decorators, not with a schema');
}

/** How long a client may go on sending what is not read any more, in milliseconds, before its connection is cut. */
const LINGER = 1_000;

/** What cannot be read as HTTP, or only in part, is answered on the bare socket. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // What else comes while the answer is on its way cannot be read either.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const refusal = tooLarge ? failure('requestTooLarge') : failure('malformedRequest');
  const body = JSON.stringify(errorBody(refusal));
  socket.end(
    `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Closing at once would reset the connection under a client that is still sending, and the answer with it.
  socket.removeAllListeners('data').resume();
  const cut = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(cut));
}
