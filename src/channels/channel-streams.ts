import { Injectable } from '@nestjs/common';
import { EventLog } from '../event-store/event-log.js';
import { FoldedStreams } from '../event-store/folded-streams.js';
import { failure } from '../kernel/errors.js';
import type { EventMetadata, RecordedEvent } from '../kernel/event.js';
import { handle, type AppendedEvents, type LoadedStream } from '../kernel/handle.js';
import { channelDirectoryFold, channelsStream, type ChannelDirectory } from './channel-directory.js';
import {
  channelStream,
  channelSubscriptionsFold,
  isSubscriber,
  type ChannelSubscriptions,
} from './channel-subscriptions.js';
import type { ChannelDirectoryEvent, SubscriptionEvent } from './events.js';
import type { Subscription } from './subscription.js';

/** What a decision about several channels goes by, as of the revisions that its append expects. */
export interface ChannelsState {
  readonly directory: ChannelDirectory;
  readonly isSubscriber: (channelId: number, userId: number) => boolean;
  /** Also of one who left; null where there is none, and for a channel that does not exist. */
  readonly subscription: (channelId: number, userId: number) => Subscription | null;
}

/** A rule over several channels. Its events are for one stream: `channels`, or that of the one channel they name. */
export interface ChannelsRule<Decision extends ChannelsDecision> {
  /** The channels whose subscriptions it looks into; those that do not exist are passed by. */
  readonly channelIds: (directory: ChannelDirectory) => Iterable<number>;
  /** Pure, because it is called again when a stream went on meanwhile. */
  readonly decide: (state: ChannelsState) => Decision;
}

/** What a {@link ChannelsRule} decides. */
export interface ChannelsDecision {
  readonly events: readonly (ChannelDirectoryEvent | SubscriptionEvent)[];
}

/** What was decided, and the first of the events as it stands in the log; null when nothing was to change. */
export interface Decided<Decision> {
  readonly decision: Decision;
  readonly event: RecordedEvent<ChannelDirectoryEvent | SubscriptionEvent> | null;
}

interface LoadedChannels {
  readonly state: ChannelsState;
  /** By stream; null where there is none yet. */
  readonly revisions: ReadonlyMap<string, number | null>;
}

const ATTEMPTS = 10;

/** The streams of channels, and decisions that look into several of them and append to one. */
@Injectable()
export class ChannelStreams {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly log: EventLog,
  ) {}

  /** All channels, as of the end of their stream. */
  async directory(): Promise<ChannelDirectory> {
    return (await this.loadDirectory()).state;
  }

  /**
   * Decides about the directory of channels alone.
   *
   * @returns what was appended; null when nothing was to change
   */
  inDirectory(
    metadata: EventMetadata,
    decide: (directory: ChannelDirectory) => readonly ChannelDirectoryEvent[],
  ): Promise<AppendedEvents<ChannelDirectoryEvent> | null> {
    return handle(this.streams, { stream: channelsStream, fold: channelDirectoryFold, decide, metadata });
  }

  /** Decides about the subscriptions of one channel alone. */
  async inChannel(
    channelId: number,
    metadata: EventMetadata,
    decide: (subscriptions: ChannelSubscriptions) => readonly SubscriptionEvent[],
  ): Promise<void> {
    const creation = (await this.directory()).creations.get(channelId);
    if (creation === undefined) throw failure('invalidChannel');
    const fold = channelSubscriptionsFold(creation);
    await handle(this.streams, { stream: channelStream(channelId), fold, decide, metadata });
  }

  /**
   * Decides about several channels. Whoever decides about the same stream in this process waits for their turn; when
   * another process is faster, the decision is made again.
   *
   * @throws ApplicationError what the rule refuses with; `unavailable` when others were faster every time
   */
  async across<Decision extends ChannelsDecision>(
    metadata: EventMetadata,
    rule: ChannelsRule<Decision>,
  ): Promise<Decided<Decision>> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const decision = rule.decide((await this.load(rule)).state);
      const stream = streamOf(decision);
      if (stream === null) return { decision, event: null };
      const decided = await this.streams.inTurn(stream, () => this.decideIn(stream, metadata, rule));
      if (decided !== null) return decided;
    }
    throw failure('unavailable');
  }

  /** Id of the last message that the log holds; 0 when there is none. */
  async lastMessageId(): Promise<number> {
    const [last] = await this.log.store.readStream('messages', { direction: 'backwards', limit: 1 });
    return last === undefined ? 0 : last.revision + 1;
  }

  /** Null when the stream went on, or the decision turned to another stream. */
  private async decideIn<Decision extends ChannelsDecision>(
    stream: string,
    metadata: EventMetadata,
    rule: ChannelsRule<Decision>,
  ): Promise<Decided<Decision> | null> {
    const { state, revisions } = await this.load(rule);
    const decision = rule.decide(state);
    const chosen = streamOf(decision);
    if (chosen === null) return { decision, event: null };
    if (chosen !== stream) return null;
    const revision = revisions.get(stream) ?? null;
    const appended = await this.streams.append({ stream, revision }, decision.events, metadata);
    return appended && { decision, event: appended.events[0] ?? null };
  }

  private async load<Decision extends ChannelsDecision>({
    channelIds,
  }: ChannelsRule<Decision>): Promise<LoadedChannels> {
    const { state: directory, revision } = await this.loadDirectory();
    const revisions = new Map<string, number | null>([[channelsStream, revision]]);
    const subscriptions = new Map<number, ChannelSubscriptions>();
    for (const id of new Set(channelIds(directory))) {
      const creation = directory.creations.get(id);
      if (creation === undefined) continue;
      const stream = channelStream(id);
      const loaded = await this.streams.load({ stream, fold: channelSubscriptionsFold(creation) });
      subscriptions.set(id, loaded.state);
      revisions.set(stream, loaded.revision);
    }
    return { state: stateOf(directory, subscriptions), revisions };
  }

  private loadDirectory(): Promise<LoadedStream<ChannelDirectory>> {
    return this.streams.load({ stream: channelsStream, fold: channelDirectoryFold });
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
  return isSubscription ? channelStream(first.data.channelId) : channelsStream;
}
