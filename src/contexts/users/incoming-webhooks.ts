import {
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { botTypes } from '../../access/people-permissions.js';
import { failure } from '../../kernel/errors.js';

const OPEN = 'palimpsest:open-to-incoming-webhooks';

/** Marks the only endpoint that incoming webhook bots may use, to send messages. */
export const OpenToIncomingWebhooks = (): CustomDecorator => SetMetadata(OPEN, true);

/** Refuses all other requests of bots that can only write. Runs after the guard that authenticates. */
@Injectable()
export class IncomingWebhookGuard implements CanActivate {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>().state;
    const bot = caller === null ? null : (this.follower.current().user(caller.userId)?.bot ?? null);
    if (bot?.type !== botTypes.incomingWebhook) return true;
    if (this.reflector.get<boolean | undefined>(OPEN, context.getHandler()) === true) return true;
    throw failure('webhookBotsNotAllowed');
  }
}
