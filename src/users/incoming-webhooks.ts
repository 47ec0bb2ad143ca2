import {
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { botTypes } from '../directory/people-permissions.js';
import { failure } from '../kernel/errors.js';

const OPEN = 'palimpsest:open-to-incoming-webhooks';

/** Marks the endpoint by which incoming webhook bots write; every other is closed to them. */
export const OpenToIncomingWebhooks = (): CustomDecorator => SetMetadata(OPEN, true);

/** Keeps bots that can only write from everything else (facts, section 1, UNAUTHORIZED). */
@Injectable()
export class IncomingWebhookInterceptor implements NestInterceptor {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>().state;
    const bot = caller === null ? null : (this.follower.current().user(caller.userId)?.bot ?? null);
    const isOpen = this.reflector.get<boolean | undefined>(OPEN, context.getHandler()) === true;
    if (bot?.type === botTypes.incomingWebhook && !isOpen) {
      throw failure('unauthorized', { reason: 'This API is not available to incoming webhook bots.' });
    }
    return next.handle();
  }
}
