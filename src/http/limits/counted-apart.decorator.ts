import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const COUNTED_APART = 'palimpsest:counted-apart';

/**
 * Marks an endpoint whose requests are limited by themselves: how often a client polls for events must not use up how
 * often its person may do something.
 */
export const CountedApart = (): MethodDecorator => SetMetadata(COUNTED_APART, true);

/** Whether the endpoint that is about to run is marked {@link CountedApart}. */
export function isCountedApart(context: ExecutionContext): boolean {
  return Reflect.getMetadata(COUNTED_APART, context.getHandler()) === true;
}
