import { organizationFold, ORGANIZATION_STREAM, type Organization } from '../access/records/organization.js';
import {
  channelDirectoryFold,
  channelNamed,
  CHANNELS_STREAM,
  type ChannelDirectory,
} from '../contexts/channels/channels.state.js';
import { userDirectoryFold, USERS_STREAM, type UserDirectory } from '../contexts/users/users.state.js';
import type { Fold } from '../kernel/fold.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { pagesOfStream } from '../stores/event-store/port.js';
import { decodeReadable, isReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import type { Vault } from '../stores/key-store/vault.js';
import { NameHistory, namingEventTypes } from './sentences/name-history.js';

const PAGE = 1_000;

/** Reads what everything was called at every position of the log, as far as it can be read. */
export async function readNameHistory(log: EventLog): Promise<NameHistory> {
  const history = new NameHistory();
  for await (const { events } of log.store.readAll({ after: null, types: namingEventTypes })) {
    for (const event of await decodeReadable(log, events)) if (isReadable(event)) history.learn(event);
  }
  return history;
}

/** The names of people and channels at the end of the log, as far as it can be read. */
export class Names {
  private constructor(
    private readonly users: UserDirectory,
    private readonly channels: ChannelDirectory,
    private readonly vault: Pick<Vault, 'emailDigest'>,
  ) {}

  static async read(log: EventLog, vault: Pick<Vault, 'emailDigest'>): Promise<Names> {
    const users = await foldStream(log, USERS_STREAM, userDirectoryFold as AnyFold<UserDirectory>);
    const channels = await foldStream(
      log,
      CHANNELS_STREAM,
      channelDirectoryFold as AnyFold<ChannelDirectory>,
    );
    return new Names(users, channels, vault);
  }

  /** A person's name and id; null: the server itself. */
  person(id: number | null): string {
    if (id === null) return 'the server';
    const user = this.users.users.get(id);
    return user === undefined ? `user ${id}` : `${user.fullName} (${id})`;
  }

  channel(id: number): string {
    const channel = this.channels.channels.get(id);
    return channel === undefined ? `channel ${id}` : `#${channel.name} (${id})`;
  }

  /** The id of the person with an id or an e-mail address; undefined: there is none. An erased person is not found by an address. */
  personId(named: string): number | undefined {
    const { users, idsByEmailDigest } = this.users;
    if (/^\d+$/.test(named)) return users.get(Number(named))?.id;
    const id = idsByEmailDigest.get(this.vault.emailDigest(named));
    return id === undefined || users.get(id)?.isErased === true ? undefined : id;
  }

  /** The id of the channel with an id or a name; undefined: there is none. */
  channelId(named: string): number | undefined {
    const byName = channelNamed(this.channels, named.replace(/^#/, ''))?.id;
    return byName ?? (/^\d+$/.test(named) ? this.channels.channels.get(Number(named))?.id : undefined);
  }
}

type AnyFold<State> = Fold<State, RecordedEvent>;

async function foldStream<State>(log: EventLog, stream: string, fold: AnyFold<State>): Promise<State> {
  let state = fold.initial;
  for await (const page of pagesOfStream(log.store, stream, { pageSize: PAGE }))
    for (const event of await decodeReadable(log, page)) state = evolved(state, event, fold);
  return state;
}

/** Skips events that cannot be read or that depend on such events; a thing without a name is then shown by its id. */
function evolved<State>(state: State, event: RecordedEvent | UnreadableEvent, fold: AnyFold<State>): State {
  if (!isReadable(event)) return state;
  try {
    return fold.evolve(state, event);
  } catch {
    return state;
  }
}

/** The name of the organization at the end of the log; empty: the log has no organization. */
export async function organizationName(log: EventLog): Promise<string> {
  const organization = await foldStream(
    log,
    ORGANIZATION_STREAM,
    organizationFold as AnyFold<Organization | null>,
  );
  return organization?.settings.name ?? '';
}

/** How a signed claim identifies an organization. */
export interface ClaimedOrganization {
  /** Its name now. */
  readonly organization: string;
  /** The id of the event that created it, which stays when it is renamed or moves to another server; absent: the log has none. */
  readonly organizationId?: string;
}

/** Identifies the organization of a log by its present name, and by an id that never changes. */
export async function claimedOrganization(log: EventLog): Promise<ClaimedOrganization> {
  const organization = await organizationName(log);
  const [created] = await log.store.readStream(ORGANIZATION_STREAM, { limit: 1 });
  return { organization, ...(created !== undefined && { organizationId: created.id }) };
}
