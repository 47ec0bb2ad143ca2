import { Injectable } from '@nestjs/common';
import { EventLog } from '../../stores/event-store/event-log.js';
import { lastRevision } from '../../stores/event-store/port.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { Decisions } from '../../http/decisions.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { FoldedStream, LoadedStream } from '../../kernel/decision.js';
import { idAtRevision, revisionOfId } from '../../kernel/ids.js';
import { MESSAGES_STREAM } from '../../events/messages.js';
import { retryOnConflict } from '../../kernel/retry-on-conflict.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { CHANNELS_STREAM, foldedChannels, type ChannelDirectory } from './channels.state.js';
import {
  channelStream,
  channelSubscriptionsFold,
  isSubscriber,
  type ChannelSubscriptions,
} from './subscriptions.state.js';
import type { ChannelDirectoryEvent } from '../../events/channels.js';
import type { SubscriptionEvent } from '../../events/subscriptions.js';
import type { Subscription } from '../../access/records/subscription.js';

/** The state for a decision about several channels, at the revisions that its append expects. */
interface ChannelsState {
  readonly directory: ChannelDirectory;
  readonly isSubscriber: (channelId: number, userId: number) => boolean;
  /** Also of a person who left; null where there is none, and for a channel that does not exist. */
  readonly subscription: (channelId: number, userId: number) => Subscription | null;
}

/**
 * A decider over several channels. Its events are for one stream: `channels`, or that of the single channel
 * in them.
 */
interface ChannelsRule<Decision extends ChannelsDecision> {
  /** Ids of the channels whose subscriptions it reads; those that do not exist are skipped. */
  readonly channelIds: (directory: ChannelDirectory) => Iterable<number>;
  /** Pure, because it is called again when a stream has changed meanwhile. */
  readonly decide: (state: ChannelsState) => Decision;
}

/** The result of a {@link ChannelsRule}. */
interface ChannelsDecision {
  readonly events: readonly (ChannelDirectoryEvent | SubscriptionEvent)[];
}

/** The decision, and the first of its events as recorded; null when nothing had to change. */
interface Decided<Decision> {
  readonly decision: Decision;
  readonly event: RecordedEvent<ChannelDirectoryEvent | SubscriptionEvent> | null;
}

interface LoadedChannels {
  readonly state: ChannelsState;
  /** By stream; null for a stream without events. */
  readonly revisions: ReadonlyMap<string, number | null>;
  /** Whether nothing was appended to these streams since, as far as this process knows. */
  readonly isCurrent: () => boolean;
}

/** A decision, and the state that it was made on. */
interface Made<Decision> {
  readonly loaded: LoadedChannels;
  readonly decision: Decision;
  /** The stream for its events; null: it has none. */
  readonly stream: string | null;
}

/** The streams of channels, and decisions that read several of them and append to one. */
@Injectable()
export class ChannelStreams {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly log: EventLog,
    private readonly decisions: Decisions,
  ) {}

  /** All channels, as of the end of their stream. */
  async directory(): Promise<ChannelDirectory> {
    return (await this.loadDirectory()).state;
  }

  /** All channels, at least up to the creation of this one. */
  async directoryWith(channelId: number): Promise<ChannelDirectory> {
    return (await this.streams.loadThrough(foldedChannels, revisionOfId(channelId))).state;
  }

  /** Decides about the subscriptions of one channel alone. */
  async inChannel(
    channelId: number,
    metadata: EventMetadata,
    decide: (subscriptions: ChannelSubscriptions) => readonly SubscriptionEvent[],
  ): Promise<void> {
    const known = this.streams.cached(foldedChannels)?.state.creations.get(channelId);
    const creation = known ?? (await this.directory()).creations.get(channelId);
    if (creation === undefined) throw failure('invalidChannel');
    const fold = channelSubscriptionsFold(creation);
    await this.decisions.record(metadata, { stream: channelStream(channelId), fold }, decide);
  }

  /**
   * Decides about several channels. Decisions about the same stream in this process are made one after the
   * other; when another process is faster, the decision is made again.
   *
   * @throws ApplicationError what the decider throws; `unavailable` when other writers came first on every
   * attempt
   */
  async across<Decision extends ChannelsDecision>(
    metadata: EventMetadata,
    rule: ChannelsRule<Decision>,
  ): Promise<Decided<Decision>> {
    return retryOnConflict(async () => {
      const made = await this.make(rule);
      const { stream, decision } = made;
      if (stream === null) return { decision, event: null };
      return this.decisions.withLock(stream, async (append) => {
        // The previous owner of the lock may have appended something that the decision depends on.
        const present = made.loaded.isCurrent() ? made : await this.make(rule);
        if (present.stream === null) return { decision: present.decision, event: null };
        // The new decision is for another stream.
        if (present.stream !== stream) return null;
        const revision = present.loaded.revisions.get(stream) ?? null;
        const appended = await append(revision, present.decision.events, metadata);
        return appended && { decision: present.decision, event: appended.events[0] ?? null };
      });
    });
  }

  /** Id of the last message in the log; 0 when there is none. */
  async lastMessageId(): Promise<number> {
    return idAtRevision(await lastRevision(this.log.store, MESSAGES_STREAM));
  }

  private async make<Decision extends ChannelsDecision>(
    rule: ChannelsRule<Decision>,
  ): Promise<Made<Decision>> {
    const loaded = await this.load(rule);
    const decision = rule.decide(loaded.state);
    return { loaded, decision, stream: streamOf(decision) };
  }

  private async load<Decision extends ChannelsDecision>({
    channelIds,
  }: ChannelsRule<Decision>): Promise<LoadedChannels> {
    const { state: directory, revision } = await this.loadDirectory();
    const revisions = new Map<string, number | null>([[CHANNELS_STREAM, revision]]);
    const isAt = (folded: FoldedStream<unknown, never>, at: number | null): boolean =>
      this.streams.cached(folded)?.revision === at;
    const checks = [() => isAt(foldedChannels, revision)];
    const subscriptions = new Map<number, ChannelSubscriptions>();
    const slice = new TimeSlice();
    for (const id of new Set(channelIds(directory))) {
      if (slice.isOver) await slice.next();
      const creation = directory.creations.get(id);
      if (creation === undefined) continue;
      const stream = channelStream(id);
      const folded = { stream, fold: channelSubscriptionsFold(creation) };
      const loaded = await this.streams.load(folded);
      subscriptions.set(id, loaded.state);
      revisions.set(stream, loaded.revision);
      checks.push(() => isAt(folded, loaded.revision));
    }
    const isCurrent = (): boolean => checks.every((check) => check());
    return { state: stateOf(directory, subscriptions), revisions, isCurrent };
  }

  private loadDirectory(): Promise<LoadedStream<ChannelDirectory>> {
    return this.streams.load(foldedChannels);
  }
}

function stateOf(
  directory: ChannelDirectory,
  subscriptions: ReadonlyMap<number, ChannelSubscriptions>,
): ChannelsState {
  return {
    directory,
    isSubscriber: (channelId, userId) => {
      const channel = subscriptions.get(channelId);
      return channel !== undefined && isSubscriber(channel, userId);
    },
    subscription: (channelId, userId) => subscriptions.get(channelId)?.byUser.get(userId) ?? null,
  };
}

function streamOf({ events: [first] }: ChannelsDecision): string | null {
  if (first === undefined) return null;
  const isSubscription =
    first.type === 'UsersSubscribed' ||
    first.type === 'UsersUnsubscribed' ||
    first.type === 'SubscriptionPropertyChanged';
  return isSubscription ? channelStream(first.data.channelId) : CHANNELS_STREAM;
}
