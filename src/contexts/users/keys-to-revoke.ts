import type { StoredApiKey } from '../../stores/credential-store/port.js';

/**
 * The keys to revoke after one was issued, if the account would have more than `max`: the least recently used
 * of the same client first, and those of other clients only if that client has no more. So a script that logs
 * in again and again does not revoke the key of a phone.
 *
 * @param issued one of `keys`, which stays
 */
export function keysToRevoke(
  keys: readonly StoredApiKey[],
  issued: Pick<StoredApiKey, 'digest' | 'client'>,
  max: number,
): readonly StoredApiKey[] {
  const others = keys.filter(({ digest }) => digest !== issued.digest);
  const isOfOther = ({ client }: StoredApiKey): number => Number(client === null || client !== issued.client);
  return others
    .toSorted((a, b) => isOfOther(a) - isOfOther(b) || lastSeen(a) - lastSeen(b))
    .slice(0, Math.max(0, keys.length - max));
}

function lastSeen({ createdAt, lastUsedAt }: StoredApiKey): number {
  return lastUsedAt ?? createdAt;
}
