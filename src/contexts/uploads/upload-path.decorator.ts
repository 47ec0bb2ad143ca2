import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiParam } from '../../http/documentation.decorators.js';

const segments = ['organization', 'shard', 'random', 'filename'] as const;

/** The part of a route that names an upload. */
export const uploadSegments = segments.map((segment) => `:${segment}`).join('/');

/** Injects the `path_id` that a route with {@link uploadSegments} was asked for. */
export const UploadPath = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  return segments.map((segment) => params[segment] ?? '').join('/');
});

/** Describes {@link uploadSegments} on the documentation page. */
export const ApiUploadPath = (): MethodDecorator =>
  applyDecorators(...segments.map((name) => ApiParam({ name, type: String })));
