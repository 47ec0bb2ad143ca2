import type { User } from './records/user.js';
import type { UserGroup } from './records/user-group.js';

/** Maximum number of subgroups of a group that is examined group by group. */
const FEW_GROUPS = 32;

/** A set of groups: one bit for each, in the order of {@link GroupNesting}. */
type GroupBits = Uint32Array;

/** The groups that contain an account, directly or through subgroups. */
interface Containing {
  /** Whether the account was a full member: this alone changes without an event. */
  readonly isFullMember: boolean;
  readonly groups: GroupBits;
}

/** An account, and which groups list it directly. */
export interface Listed {
  readonly user: User;
  readonly isFullMember: boolean;
  readonly lists: (group: UserGroup) => boolean;
}

/**
 * How user groups contain each other, for one state of all groups. A permission of every channel may depend on groups
 * within groups within groups, so that nothing is followed twice: for each group with few groups within it these are
 * remembered, and for each account that is checked against a larger one, all groups that contain the account.
 *
 * Deactivated groups are empty. Groups may contain each other.
 */
export class GroupNesting {
  private readonly groups: readonly UserGroup[];
  /** By id of the group. */
  private readonly indexes: ReadonlyMap<number, number>;
  /** By index of the group: the indexes of the active groups that have it as a subgroup. */
  private readonly supergroups: readonly (readonly number[])[];
  private readonly fewWithin = new Map<number, readonly UserGroup[] | null>();
  private readonly containing = new WeakMap<User, Containing>();

  constructor(groups: Iterable<UserGroup>) {
    this.groups = [...groups];
    this.indexes = new Map(this.groups.map(({ id }, index) => [id, index]));
    const supergroups: number[][] = this.groups.map(() => []);
    this.groups.forEach(({ isDeactivated, subgroupIds }, index) => {
      if (isDeactivated) return;
      for (const id of subgroupIds) supergroups[this.indexes.get(id) ?? -1]?.push(index);
    });
    this.supergroups = supergroups;
  }

  /** Whether a group contains the account, directly or through subgroups. */
  contains(groupId: number, listed: Listed): boolean {
    const few = this.few(groupId);
    if (few !== null) return few.some(listed.lists);
    const index = this.indexes.get(groupId);
    return index !== undefined && hasBit(this.groupsContaining(listed), index);
  }

  /** Ids of the group itself and of all groups that contain it, directly or through other groups. */
  around(groupId: number): ReadonlySet<number> {
    const index = this.indexes.get(groupId);
    const start = index === undefined || this.groups[index]?.isDeactivated !== false ? [] : [index];
    return new Set([...this.upwards(start)].flatMap((at) => this.groups[at]?.id ?? []));
  }

  /** The group and all groups within it; null: too many to examine them one by one. */
  private few(groupId: number): readonly UserGroup[] | null {
    const known = this.fewWithin.get(groupId);
    if (known !== undefined) return known;
    const few = this.firstWithin(groupId);
    this.fewWithin.set(groupId, few);
    return few;
  }

  private firstWithin(groupId: number): readonly UserGroup[] | null {
    const within: UserGroup[] = [];
    const ids = new Set([groupId]);
    for (const id of ids) {
      const group = this.groups[this.indexes.get(id) ?? -1];
      if (group === undefined || group.isDeactivated) continue;
      within.push(group);
      group.subgroupIds.forEach((subgroupId) => ids.add(subgroupId));
      if (ids.size > FEW_GROUPS) return null;
    }
    return within;
  }

  private groupsContaining({ user, isFullMember, lists }: Listed): GroupBits {
    const known = this.containing.get(user);
    if (known?.isFullMember === isFullMember) return known.groups;
    const listing = this.groups.flatMap((group, index) =>
      !group.isDeactivated && lists(group) ? [index] : [],
    );
    const groups = new Uint32Array(Math.ceil(this.groups.length / 32));
    for (const index of this.upwards(listing)) setBit(groups, index);
    this.containing.set(user, { isFullMember, groups });
    return groups;
  }

  /** Indexes of these groups, and of all that contain one of them. */
  private upwards(start: readonly number[]): ReadonlySet<number> {
    const reached = new Set(start);
    for (const index of reached) this.supergroups[index]?.forEach((above) => reached.add(above));
    return reached;
  }
}

function setBit(bits: GroupBits, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
}

function hasBit(bits: GroupBits, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}
