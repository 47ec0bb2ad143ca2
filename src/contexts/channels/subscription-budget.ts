import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/**
 * Limits the number of pairs of a person and a channel that one request changes, each of which is stored and
 * sent to clients.
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
