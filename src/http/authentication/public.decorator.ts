import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const PUBLIC_ENDPOINT = 'palimpsest:public';

/** Marks an endpoint, or a controller, that takes requests without credentials. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(PUBLIC_ENDPOINT, true);

/** Whether the endpoint that is about to run is marked {@link Public}, by itself or by its controller. */
export function isPublic(context: ExecutionContext): boolean {
  return isMarkedPublic(context.getHandler()) || isMarkedPublic(context.getClass());
}

/** Whether a method or a class carries the mark. */
export function isMarkedPublic(target: object): boolean {
  return Reflect.getMetadata(PUBLIC_ENDPOINT, target) === true;
}
