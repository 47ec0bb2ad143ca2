import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/**
 * Bounds what one request changes, since every pair of a person and a channel is told of and stored.
 *
 * @throws ApplicationError `tooManyChannelsAtOnce`, `tooManySubscriptionsAtOnce`
 */
export function assertWithinBudget(channels: number, people: number): void {
  const { channelsOfRequest, subscriptionsOfRequest } = budgets;
  if (channels > channelsOfRequest.max) {
    throw failure('tooManyChannelsAtOnce', { reason: String(channelsOfRequest.max) });
  }
  if (channels * people > subscriptionsOfRequest.max) {
    throw failure('tooManySubscriptionsAtOnce', { reason: String(subscriptionsOfRequest.max) });
  }
}
