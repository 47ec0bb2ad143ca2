import { Injectable } from '../../../runtime/nest-decorators.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { Decisions } from '../../../http/decisions.js';
import type { Caller } from '../../../http/caller.js';
import { MessageReader } from '../message-reader.js';
import type { CompiledNarrow } from '../narrow/compiled-narrow.js';
import { hasFewSources } from '../narrow/narrow-cost.js';
import type { Window } from '../narrow/sources.js';
import type { Term } from '../narrow/terms.js';
import type { QuerySession } from '../query-session.js';
import type { PersonMuted } from '../../../events/attention.js';
import type { FlagEvent } from '../../../events/message-flags.js';
import type { EventMetadata, Recorded } from '../../../kernel/event.js';
import { firstAbove, lastBelow, rangesOf } from './id-ranges.js';
import {
  affectedIds,
  decideMarking,
  decideMarkAllRead,
  hasLeft,
  type FlagChange,
  type Surroundings,
} from './flags.decide.js';
import { flagsOf, isPersonal, lastRevision, type FlaggedMessage, type PersonalFlags } from './flags.state.js';

/** The result of a change of flags. */
export interface FlagsChanged {
  /** How many messages have changed flags. */
  readonly updatedCount: number;
  /** Ids of channels that the person has left, where messages cannot become unread, in rising order. */
  readonly ignoredChannelIds: readonly number[];
}

/** A change of flags and the messages that it applies to, all of which the person can see. */
interface Marking {
  readonly change: FlagChange;
  readonly messages: readonly FlaggedMessage[];
  /** The unread messages around them, if they were looked up when the messages were found. */
  readonly surroundings?: Surroundings | null;
  /** The event on which the server marks them as read for the person; absent: the person requested the change. */
  readonly cause?: Recorded<typeof PersonMuted>;
}

/** How many unread messages around those to be read are looked at; beyond these, ranges are not joined. */
const MAX_SURROUNDINGS = 2000;

/** Maximum number of ids among which the unread messages are found quickly. */
const FEW_IDS = 500;

const unreadTerms: readonly Term[] = [{ operator: 'is', operand: 'unread', negated: false }];

/** Changes people's message flags, each on the person's own stream. */
@Injectable()
export class FlagDecisions {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
  ) {}

  /** Opens a query session for the person whose flags are to be changed. */
  open(caller: Caller): Promise<QuerySession> {
    return this.messages.open(caller);
  }

  /** Changes flags on messages that the query session found. */
  async apply(caller: Caller, session: QuerySession, marking: Marking): Promise<FlagsChanged> {
    const { change, messages } = marking;
    const { snapshot, user, placements } = session.context;
    const { surroundings = await surroundingsToRead(session, marking), cause } = marking;
    const mutedUserId = cause?.data.mutedUserId ?? null;
    const metadata = { ...requestMetadata(caller, snapshot.now), causationId: cause?.id ?? null };
    let updatedCount = 0;
    await this.decide(metadata, user.id, (flags, revision) => {
      const facts = { snapshot, user, placements, messages, surroundings, revision, mutedUserId };
      updatedCount = affectedIds(flags, change, facts).length;
      return decideMarking(flags, change, facts);
    });
    const becomesUnread = change.op === 'remove' && change.flag === 'read';
    return { updatedCount, ignoredChannelIds: becomesUnread ? channelsLeft(session, messages) : [] };
  }

  /** Marks everything that the person ever received as read. */
  async readAll(caller: Caller, session: QuerySession, lastMessageId: number): Promise<void> {
    const facts = { userId: caller.userId, lastMessageId };
    const metadata = requestMetadata(caller, session.context.snapshot.now);
    await this.decide(metadata, caller.userId, (flags) => decideMarkAllRead(flags, facts));
  }

  private async decide(
    metadata: EventMetadata,
    userId: number,
    decide: (flags: PersonalFlags, revision: number | null) => readonly FlagEvent[],
  ): Promise<void> {
    await this.decisions.decideAs(metadata, flagsOf(userId), (flags, nextRevision) =>
      decide(flags, lastRevision(nextRevision)),
    );
  }
}

/**
 * The unread messages around messages that are to be marked as read; null where the change is another one, or
 * none of the messages can be read.
 */
export async function surroundingsToRead(
  session: QuerySession,
  { change, messages }: Marking,
): Promise<Surroundings | null> {
  return isReading(change) ? surroundingsOf(session, readIds(session, messages)) : null;
}

/**
 * What {@link surroundingsToRead} looks up, if that takes so little time that the request thread can do it; undefined: it may take long.
 */
export async function fewSurroundingsToRead(
  session: QuerySession,
  { change, messages }: Marking,
): Promise<Surroundings | null | undefined> {
  const ids = isReading(change) ? readIds(session, messages) : [];
  const window = windowAround(session, ids);
  if (window === null) return null;
  if (window.to - window.from >= FEW_IDS) return undefined;
  const unread = await session.compile(unreadTerms);
  return hasFewSources(unread, session.context, window)
    ? surroundingsIn(session, unread, { window, count: ids.length })
    : undefined;
}

function isReading({ op, flag }: FlagChange): boolean {
  return op === 'add' && flag === 'read';
}

/** Ids of those of the messages that can be unread. */
function readIds(
  { context, flagsRevision }: QuerySession,
  messages: readonly FlaggedMessage[],
): readonly number[] {
  const facts = { ...context, messages, surroundings: null, revision: flagsRevision };
  return affectedIds(context.flags, { op: 'add', flag: 'read' }, facts);
}

/** Looks up the unread messages around messages that are to be read. */
export async function surroundingsOf(
  session: QuerySession,
  ids: readonly number[],
): Promise<Surroundings | null> {
  const window = windowAround(session, ids);
  if (window === null) return null;
  return surroundingsIn(session, await session.compile(unreadTerms), { window, count: ids.length });
}

/** The unread messages of a window, in which `count` messages are to be marked as read. */
async function surroundingsIn(
  session: QuerySession,
  unread: CompiledNarrow,
  { window, count }: { readonly window: Window; readonly count: number },
): Promise<Surroundings> {
  const limit = count + MAX_SURROUNDINGS;
  const found = await session.search.findPlaces(unread, { window, order: -1, limit });
  const unreadIds = found.map(({ _id }) => _id).reverse();
  const below = window.from - 1;
  const after = found.length < limit ? below : (unreadIds[0] ?? below);
  return { revision: session.flagsRevision, unreadIds, after };
}

/** The ids from the read messages below these ids to those above them; null where there are no ids. */
function windowAround({ context }: QuerySession, ids: readonly number[]): Window | null {
  const ranges = rangesOf(ids);
  const [lowest, highest] = [ranges[0]?.from, ranges.at(-1)?.through];
  if (lowest === undefined || highest === undefined) return null;
  const { read } = context.flags;
  return { from: lastBelow(read, lowest) + 1, to: (firstAbove(read, highest) ?? highest + 1) - 1 };
}

function channelsLeft({ context }: QuerySession, messages: readonly FlaggedMessage[]): readonly number[] {
  const left = new Set<number>();
  for (const message of messages) {
    if (message.channelId !== null && isPersonal(context, message) && hasLeft(context, message))
      left.add(message.channelId);
  }
  return [...left].sort((a, b) => a - b);
}
