import { StreamableFile } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Configuration } from '../../config.js';
import { failure } from '../../kernel/errors.js';
import { asApplicationError } from '../as-application-error.js';
import { type Answer, successBody, SuccessInOwnNames, WrittenReply } from '../envelope.js';
import { ignoredParameters, parseForm } from '../request-parameters.js';
import { inOlderNames, isExistingClient } from '../older-names.js';
import { requestId } from '../monitoring/logger.js';
import { replyToError } from '../reply-to-error.js';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES, MAX_PATH_PARAMETER_LENGTH, REQUEST_TIMEOUT } from './limits.js';
import { setCommonHeaders } from './request-hooks.js';
import { rawReply } from './raw-reply.js';
import { RouteIndex } from './route-index.js';
import { UnreadReplies } from './unread-replies.js';
import { answerUnrouted } from './unrouted.js';

/** Nest's Fastify adapter, with bodies, the envelope and unknown paths handled by this folder. */
export class HttpAdapter extends FastifyAdapter {
  /** Every route of the application. */
  readonly routes = new RouteIndex();
  readonly unreadReplies = new UnreadReplies();

  constructor({ trustedProxies }: Pick<Configuration, 'trustedProxies'>) {
    super({ ...serverOptions(trustedProxies), skipMiddie: true });
    this.routes.follow(this.getInstance<FastifyInstance>());
  }

  /**
   * Sends a controller's result in the envelope, always with 200: clients accept no other status as a
   * success. An interceptor for this would take a quarter of the whole request's time.
   */
  override reply(reply: FastifyReply, answer: Answer): FastifyReply {
    if (answer instanceof StreamableFile) return super.reply(reply, answer, 200);
    if (answer instanceof WrittenReply) this.unreadReplies.assertRoom(reply, answer.body.length);
    const isInOwnNames = answer instanceof SuccessInOwnNames;
    const body = successBody(isInOwnNames ? answer.fields : answer, ignoredParameters(reply.request));
    const knowsOlderNames = isExistingClient(reply.request.headers['user-agent']);
    return reply
      .status(200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(knowsOlderNames && !isInOwnNames ? inOlderNames(body) : body);
  }

  /** Nest would register parsers for JSON and forms here; `bodies.ts` registers ours. */
  override registerParserMiddleware(): void {}

  /** Nest's own reply would not distinguish an unknown path from an unknown method. */
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
    // Clients of resumable uploads use the address with a trailing slash.
    rewriteUrl: ({ url = '/' }) => (url === '/api/v1/tus/' ? '/api/v1/tus' : url),
    // During shutdown, requests on open connections are still answered; the connections are closed after
    // that.
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

/**
 * Routes have no Fastify schemas, because parameters are validated by their decorators. This avoids loading
 * Fastify's schema compilers.
 */
function noSchemas(): never {
  throw new Error('Routes declare their parameters with decorators, not with a schema');
}

/** How long a client may go on sending after an error, in milliseconds, before its connection is cut. */
const LINGER = 1_000;

/** Replies on the bare socket to requests that are not valid HTTP. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Further errors while the reply is being sent cannot be answered.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  socket.end(
    tooLarge
      ? rawReply('431 Request Header Fields Too Large', failure('requestTooLarge'))
      : rawReply('400 Bad Request', failure('malformedRequest')),
  );
  // Closing at once would reset the connection of a client that is still sending, and lose the reply.
  socket.removeAllListeners('data').resume();
  const cut = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(cut));
}
