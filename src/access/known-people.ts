import { isAcquainted, isShownEveryone } from './acquaintances.js';
import type { DirectConversations } from './direct-conversations.js';
import type { User } from './records/user.js';
import type { Snapshot } from './snapshot.js';

/** Looks up direct conversations; implemented by the messages context. */
export abstract class ConversationLookup {
  /** The direct conversations in which any of these people ever took part. */
  abstract directConversations(userIds: readonly number[]): Promise<DirectConversations>;
}

/** Whether a viewer may know who an account is. */
export type Knows = (user: User) => boolean;

/** For viewers from whom nobody is hidden. */
export const knowsEveryone: Knows = () => true;

/**
 * Finds out who may know whom: see {@link mayKnow}. Nothing is looked up for viewers who may know everyone.
 */
export class KnownPeople {
  constructor(private readonly lookup: ConversationLookup) {}

  /** The test whether a viewer may know an account. */
  async predicateFor(viewer: User, snapshot: Snapshot): Promise<Knows> {
    if (isShownEveryone(snapshot, viewer)) return knowsEveryone;
    const conversations = await this.lookup.directConversations([viewer.id]);
    return (user) => isAcquainted(snapshot, { viewer, conversations }, user);
  }

  /** For each of these people from whom some of the others are hidden: the ids of those, in the order given. */
  async strangersAmong(
    people: readonly User[],
    snapshot: Snapshot,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const viewers = people.filter((viewer) => !isShownEveryone(snapshot, viewer));
    if (viewers.length === 0) return new Map();
    const conversations = await this.lookup.directConversations(viewers.map(({ id }) => id));
    return new Map(
      viewers.map((viewer) => {
        const strangers = people.filter((user) => !isAcquainted(snapshot, { viewer, conversations }, user));
        return [viewer.id, strangers.map(({ id }) => id)];
      }),
    );
  }
}
