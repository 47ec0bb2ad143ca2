import type { OwnerOf } from '../../access/account-owners.js';
import type { Call } from './calls.state.js';

/** Maximum number of concurrent requests, of which each bot has one: a slow bot delays only itself. */
export const MAX_UNDER_WAY = 50;

/** Maximum number of concurrent requests of the bots of one owner: more would leave too few for others. */
export const MAX_UNDER_WAY_OF_OWNER = Math.floor(MAX_UNDER_WAY / 4);

/**
 * The calls to send next. Whoever has the fewest requests under way is first, so that nobody waits for the many bots of
 * somebody else.
 *
 * @param due at most one for each bot
 * @param underWay the bots whose requests are under way
 */
export function fairShare(
  due: readonly Call[],
  underWay: ReadonlySet<number>,
  ownerOf: OwnerOf,
): readonly Call[] {
  const free = MAX_UNDER_WAY - underWay.size;
  if (free <= 0) return [];
  const ranks = new Map<number, number>();
  for (const botId of underWay) ranks.set(ownerOf(botId), (ranks.get(ownerOf(botId)) ?? 0) + 1);
  const possible = due.filter(
    ({ botId }) => !underWay.has(botId) && (ranks.get(ownerOf(botId)) ?? 0) < MAX_UNDER_WAY_OF_OWNER,
  );
  const ranked = [...possible].sort(byAge).map((call) => {
    const rank = ranks.get(ownerOf(call.botId)) ?? 0;
    ranks.set(ownerOf(call.botId), rank + 1);
    return { call, rank };
  });
  return ranked
    .filter(({ rank }) => rank < MAX_UNDER_WAY_OF_OWNER)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, free)
    .map(({ call }) => call);
}

function byAge(one: Call, other: Call): number {
  return one.messageId - other.messageId || one.botId - other.botId;
}
