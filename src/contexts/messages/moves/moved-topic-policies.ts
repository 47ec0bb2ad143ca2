import { Injectable } from '@nestjs/common';
import { followUp } from '../../attention/follow-up.js';
import { Decisions } from '../../../http/decisions.js';
import { AttentionReader } from '../../attention/attention-reader.js';
import {
  decideAutomaticVisibility,
  decideMoveTopicPolicy,
  type MovedTopic,
} from '../../attention/attention.decide.js';
import { policyByBecomingFirst } from '../../attention/topic-visibility.js';
import { hasContentAccess } from '../../../access/channel-permissions.js';
import type { Directory } from '../../../access/directory.js';
import type { Channel } from '../../../access/records/channel.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { MessageDocument } from '../message-document.js';
import { MessageReader } from '../message-reader.js';
import { channelSources, filterWithin } from '../narrow/sources.js';
import { hasAfterMove } from '../placements.js';
import type { MoveDocument } from './move-documents.js';
import type { MoveEvent } from '../../../events/message-moves.js';
import { topicKey } from '../../../events/values/message-text.js';

/** How many people's streams are written to at once. */
const PEOPLE_AT_ONCE = 50;

/**
 * Moves people's topic visibility policies along when all of a topic was moved. When messages were split off,
 * makes the sender of the one that starts the new topic follow it, as their settings say.
 */
@Injectable()
export class MovedTopicPolicies {
  constructor(
    private readonly reader: AttentionReader,
    private readonly decisions: Decisions,
    private readonly messages: MessageReader,
  ) {}

  /** Does nothing where it was done before for the same move. */
  async follow(event: RecordedEvent<MoveEvent>, move: MoveDocument, directory: Directory): Promise<void> {
    if (isRespelling(move)) return;
    await (move.isWhole ? this.moveAlong(event, move, directory) : this.followSplit(event, move, directory));
  }

  private async moveAlong(
    event: RecordedEvent<MoveEvent>,
    move: MoveDocument,
    directory: Directory,
  ): Promise<void> {
    const from = { channelId: move.channelId, topic: move.topic };
    const to = { channelId: move.newChannelId, topic: move.newTopic };
    const policies = await Promise.all(
      [from, to].map(({ channelId, topic }) => this.reader.policiesFor(channelId, topic)),
    );
    const userIds = [...new Set(policies.flatMap((byUser) => [...byUser.keys()]))];
    const topic = { from, to, targetHadMessages: !move.targetWasEmpty };
    const keepsMessages = await this.keepersOf(event, move, directory);
    for (let first = 0; first < userIds.length; first += PEOPLE_AT_ONCE) {
      const people = userIds.slice(first, first + PEOPLE_AT_ONCE);
      await Promise.all(
        people.map(async (userId) =>
          this.followFor(userId, event, { ...topic, keepsMessages: await keepsMessages(userId) }),
        ),
      );
    }
  }

  /** The test whether a person can see moved messages in their new place; who cannot must not learn of its topic. */
  private async keepersOf(
    event: RecordedEvent<MoveEvent>,
    { newChannelId, moved }: MoveDocument,
    directory: Directory,
  ): Promise<(userId: number) => boolean | Promise<boolean>> {
    const channel = directory.channel(newChannelId);
    if (channel === null) return () => false;
    const moving = { event, directory, channel };
    const isToAnother = event.type === 'MessagesMoved' && event.data.newChannel !== null;
    if (isToAnother || channel.privacy.historyPublicToSubscribers) {
      return (userId) => keepsAccess(userId, moving);
    }
    // Of a protected history, people see what they received. The newest message stands for those that the request
    // did not name.
    const ids = [event.data.messageId, moved.lastMessageId];
    const messages = (await this.messages.model()).collection<MessageDocument>('messages');
    const samples = await messages.find({ _id: { $in: ids } });
    return async (userId) => {
      if (!keepsAccess(userId, moving)) return false;
      const { search } = await this.messages.open({ userId });
      return samples.some((message) => search.sees(message));
    };
  }

  private async followSplit(
    event: RecordedEvent<MoveEvent>,
    { newChannelId: channelId, newTopic: topic }: MoveDocument,
    directory: Directory,
  ): Promise<void> {
    const model = await this.messages.model();
    const target = await model.collection<MessageDocument>('messages').findOne({ _id: event.data.messageId });
    const user = target === null ? null : directory.user(target.senderId);
    if (target === null || user === null) return;
    const policy = policyByBecomingFirst({ directory, user, channelId });
    if (policy === null || !(await this.startsTopic(target, { channelId, topic }))) return;
    await followUp(this.decisions, { userId: user.id, cause: event }, (attention) =>
      decideAutomaticVisibility(attention, { channelId, topic, policy }, { userId: user.id }),
    );
  }

  /**
   * Whether a message is the first of a topic that its sender can see. False where they cannot see the message
   * itself any more: they must not learn of the topic.
   */
  private async startsTopic(
    target: MessageDocument,
    { channelId, topic }: { readonly channelId: number; readonly topic: string },
  ): Promise<boolean> {
    const { model, context, search } = await this.messages.open({ userId: target.senderId });
    if (!search.sees(target)) return false;
    // Messages that are split off together are all newer than the one that the request named.
    const earlier = filterWithin(
      { sources: channelSources(context, channelId), conditions: [{ topicKey: topicKey(topic) }] },
      { from: 1, to: target._id - 1 },
    );
    if (earlier === null) return true;
    return (await model.collection<MessageDocument>('messages').find(earlier, { limit: 1 })).length === 0;
  }

  private async followFor(userId: number, event: RecordedEvent<MoveEvent>, topic: MovedTopic): Promise<void> {
    await followUp(this.decisions, { userId, cause: event }, (attention) =>
      decideMoveTopicPolicy(attention, topic, { userId }),
    );
  }
}

function isRespelling({ channelId, newChannelId, topic, newTopic }: MoveDocument): boolean {
  return channelId === newChannelId && topicKey(topic) === topicKey(newTopic);
}

/** A move, and the channel that has the messages after it. */
interface Moving {
  readonly event: RecordedEvent<MoveEvent>;
  readonly directory: Directory;
  readonly channel: Channel;
}

/** People who cannot see the messages in their new place do not keep their policies. */
function keepsAccess(userId: number, { event, directory, channel }: Moving): boolean {
  const user = directory.user(userId);
  if (user === null) return false;
  const { type, data, metadata } = event;
  const reception = type === 'MessagesMoved' ? data.newChannel : null;
  if (reception !== null && hasAfterMove(reception, { directory, user })) return true;
  return hasContentAccess({ directory, now: metadata.at }, user, channel);
}
