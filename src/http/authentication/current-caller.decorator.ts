import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';

/** Injects the {@link Caller} into a controller's method. Not for {@link Public} endpoints, which have none. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>().state;
  if (caller === null) throw new Error('A public endpoint has no caller');
  return caller;
});
