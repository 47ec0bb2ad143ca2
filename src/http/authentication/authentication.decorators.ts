import { SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';

const PUBLIC_ENDPOINT = 'palimpsest:public';

/** Marks an endpoint, or a controller, that accepts requests without credentials. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(PUBLIC_ENDPOINT, true);

/** Whether the present endpoint is marked {@link Public}, by itself or by its controller. */
export function isPublic(context: ExecutionContext): boolean {
  return isMarkedPublic(context.getHandler()) || isMarkedPublic(context.getClass());
}

/** Whether a method or a class is marked {@link Public}. */
export function isMarkedPublic(target: object): boolean {
  return Reflect.getMetadata(PUBLIC_ENDPOINT, target) === true;
}

/** Injects the {@link Caller} into a controller's method. {@link Public} endpoints have none. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>().state;
  if (caller === null) throw new Error('A public endpoint has no caller');
  return caller;
});
