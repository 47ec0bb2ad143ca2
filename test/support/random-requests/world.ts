import type { ClientState, Item } from '../client-state/client-state.js';
import type { Random } from './random.js';

/** A request to the API. */
export type ApiRequest = readonly [
  method: 'post' | 'patch' | 'delete',
  path: string,
  parameters?: Readonly<Record<string, unknown>>,
];

/** Makes a request of things that exist; null if there are none. */
export type Make = (random: Random, world: World) => ApiRequest | null;

/** A message that somebody sent, and its topic; null: a direct message. */
interface SentMessage {
  readonly id: number;
  readonly topic: string | null;
}

export const topics = ['engines', 'brass', '✔ engines', ''] as const;

/** What requests can be about, as an owner of the organization knows it. */
export class World {
  /** What was sent, oldest first. */
  readonly messages: SentMessage[] = [];

  constructor(
    private readonly known: () => ClientState,
    /** The people who send the requests. */
    readonly people: readonly number[],
  ) {}

  get channelIds(): readonly number[] {
    return [...this.known().channels.keys()];
  }

  get channelNames(): readonly string[] {
    return [...this.known().channels.values()].map(({ name }) => name as string);
  }

  /** Accounts that send no requests. */
  get others(): readonly number[] {
    return [...this.known().users.keys()].filter((id) => !this.people.includes(id));
  }

  get groups(): readonly Item[] {
    return this.groupsThat((group) => group['is_system_group'] === false);
  }

  get systemGroups(): readonly Item[] {
    return this.groupsThat((group) => group['is_system_group'] === true && group['name'] !== 'role:internet');
  }

  /** Keys of the items of a list of the initial state. */
  keysOf(list: keyof ClientState['lists']): readonly (number | string)[] {
    return [...this.known().lists[list].keys()];
  }

  /** The ids of a list that its events replace. */
  idsOf(list: 'custom_profile_fields' | 'realm_linkifiers' | 'realm_playgrounds'): readonly number[] {
    return (this.known().replaced[list] as readonly Item[]).map(({ id }) => id as number);
  }

  recentMessage(random: Random): SentMessage | undefined {
    return random.pick(this.messages.slice(-40));
  }

  /** A value of a permission: a system group, or an anonymous one. */
  groupValue(random: Random): unknown {
    if (random.chance(0.6)) return random.pick(this.systemGroups)?.['id'];
    const direct_subgroups = random.some(
      this.groups.map(({ id }) => id as number),
      2,
    );
    return { direct_members: random.some(this.people), direct_subgroups };
  }

  private groupsThat(test: (group: Item) => boolean): readonly Item[] {
    return [...this.known().lists.realm_user_groups.values()].filter(test);
  }
}

/** A request about something, if there is one. */
export function about<Subject>(
  subject: Subject | undefined,
  make: (subject: Subject) => ApiRequest,
): ApiRequest | null {
  return subject === undefined ? null : make(subject);
}
