import { mayManageBot, maySeeBot } from '../../../access/people-permissions.js';
import type { User } from '../../../access/records/user.js';
import type { Role } from '../../../events/users.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import type { UserModels } from '../client-models.js';
import type { BotView } from '../../channels/client-events/bot-defaults.js';
import { servicesOf } from '../queries/bots.js';
import { botObject, noSecrets, type BotSecrets } from './bots.js';

/** What somebody gets of a bot: nothing, all but its secrets, or everything. */
type BotAccess = 'none' | 'listed' | 'managed';

interface ChangedAccess {
  readonly reader: User;
  readonly bot: User;
  readonly was: BotAccess;
  readonly is: BotAccess;
}

/** An account before and after its role changed. */
interface RoleChange {
  readonly before: User;
  readonly after: User;
}

/** The keys and tokens of bots, by bot: only for people who may read them. */
export function secretsOf(
  bots: readonly User[],
  keys: ReadonlyMap<number, string>,
  models: UserModels,
): ReadonlyMap<number, BotSecrets> {
  return new Map(
    bots.map(({ id }) => [id, { key: keys.get(id) ?? null, token: models.botServiceToken(id) }]),
  );
}

/**
 * The secrets that an account's new role shows to people who have a client in this process.
 *
 * @param snapshot from before the event
 */
export async function secretsForRole(
  { userId, role }: { readonly userId: number; readonly role: Role },
  models: UserModels,
  { directory }: Snapshot,
): Promise<ReadonlyMap<number, BotSecrets>> {
  const before = directory.user(userId);
  if (before === null) return new Map();
  const shown = [...changedAccess({ before, after: { ...before, role } }, directory.users())].filter(
    ({ reader, is }) => is === 'managed' && models.hasClient(reader.id),
  );
  const bots = [...new Set(shown.map(({ bot }) => bot))];
  return secretsOf(bots, await models.botKeysIfAvailable(bots.map(({ id }) => id)), models);
}

/**
 * Client events for the lists of bots that a new role alters: the list of a person, who may see other bots or read
 * other keys now, or, if the account is a bot, the lists of those who see it.
 */
export function botAccessEvents(
  change: RoleChange,
  secrets: ReadonlyMap<number, BotSecrets>,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  return [...changedAccess(change, snapshot.directory.users())].map(({ reader, ...one }) => {
    const shown = one.is === 'managed' ? (secrets.get(one.bot.id) ?? noSecrets) : noSecrets;
    return { to: [reader.id], event: listChange(one, shown, { snapshot, viewer: reader }) };
  });
}

function listChange(
  { bot, was, is }: Omit<ChangedAccess, 'reader'>,
  shown: BotSecrets,
  view: BotView,
): ClientEvent {
  const type = 'realm_bot';
  if (is === 'none') return { type, op: 'delete', bot: { user_id: bot.id } };
  if (was === 'none') return { type, op: 'add', bot: botObject(bot, shown, view) };
  const secrets = { api_key: shown.key ?? '', services: servicesOf(bot, shown.token) };
  return { type, op: 'update', bot: { user_id: bot.id, ...secrets } };
}

function* changedAccess({ before, after }: RoleChange, accounts: Iterable<User>): Generator<ChangedAccess> {
  for (const other of accounts) {
    const one =
      after.bot === null
        ? { reader: after, bot: other, was: accessTo(before, other), is: accessTo(after, other) }
        : { reader: other, bot: after, was: accessTo(other, before), is: accessTo(other, after) };
    if (one.was !== one.is) yield one;
  }
}

function accessTo(reader: User, bot: User): BotAccess {
  if (mayManageBot(reader, bot)) return 'managed';
  return maySeeBot(reader, bot) ? 'listed' : 'none';
}
