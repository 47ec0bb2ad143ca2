import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const COUNTED_APART = 'palimpsest:counted-apart';

/**
 * Marks an endpoint whose requests have a rate limit of their own: polling for events must not use up a
 * person's limit for other requests.
 */
export const CountedApart = (): MethodDecorator => SetMetadata(COUNTED_APART, true);

/** Whether the present endpoint is marked {@link CountedApart}. */
export function isCountedApart(context: ExecutionContext): boolean {
  return Reflect.getMetadata(COUNTED_APART, context.getHandler()) === true;
}
