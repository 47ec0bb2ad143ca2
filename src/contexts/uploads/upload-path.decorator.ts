import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiParam } from '../../http/documentation.decorators.js';

const segments = ['organization', 'shard', 'random', 'filename'] as const;

/** The part of a route that names an upload. */
export const UPLOAD_SEGMENTS = segments.map((segment) => `:${segment}`).join('/');

type UploadRequest = FastifyRequest<{ Params: Record<string, string> }>;

function pathIdIn(params: Readonly<Record<string, string>>): string {
  return segments.map((segment) => params[segment] ?? '').join('/');
}

/** Injects the `path_id` of a route with {@link UPLOAD_SEGMENTS}. */
export const UploadPath = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  return pathIdIn(context.switchToHttp().getRequest<UploadRequest>().params);
});

/** The address of a thumbnail. */
export interface ThumbnailAddress {
  /** The `path_id` of the upload. */
  readonly path: string;
  readonly format: string;
}

/** Injects the address of a route with {@link UPLOAD_SEGMENTS} followed by a `format`. */
export const ThumbnailPath = createParamDecorator(
  (_data: unknown, context: ExecutionContext): ThumbnailAddress => {
    const { params } = context.switchToHttp().getRequest<UploadRequest>();
    return { path: pathIdIn(params), format: params['format'] ?? '' };
  },
);

/** Describes {@link UPLOAD_SEGMENTS} on the documentation page. */
export const ApiUploadPath = (): MethodDecorator =>
  applyDecorators(...segments.map((name) => ApiParam({ name, type: String })));
