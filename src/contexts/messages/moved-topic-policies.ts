import { Injectable } from '@nestjs/common';
import { followUp } from '../attention/follow-up.js';
import { Decisions } from '../../http/decisions.js';
import { AttentionReader } from '../attention/attention-reader.js';
import { decideMoveTopicPolicy, type MovedTopic } from '../attention/attention.decide.js';
import { hasContentAccess } from '../../access/channel-permissions.js';
import type { Directory } from '../../access/directory.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { passes } from './placements.js';
import type { MoveDocument } from './move-documents.js';
import type { MoveEvent } from '../../events/message-moves.js';
import { topicKey } from '../../events/values/message-text.js';

/** How many people's streams are written to at once. */
const peopleAtOnce = 50;

/** Moves people's topic visibility policies along when all of a topic was moved. */
@Injectable()
export class MovedTopicPolicies {
  constructor(
    private readonly reader: AttentionReader,
    private readonly decisions: Decisions,
  ) {}

  /** Does nothing where it was done before for the same move. */
  async follow(event: RecordedEvent<MoveEvent>, move: MoveDocument, directory: Directory): Promise<void> {
    if (!move.isWhole || isRespelling(move)) return;
    const from = { channelId: move.channelId, topic: move.topic };
    const to = { channelId: move.newChannelId, topic: move.newTopic };
    const policies = await Promise.all(
      [from, to].map(({ channelId, topic }) => this.reader.policiesFor(channelId, topic)),
    );
    const userIds = [...new Set(policies.flatMap((byUser) => [...byUser.keys()]))];
    const topic = { from, to, targetHadMessages: !move.targetWasEmpty };
    for (let first = 0; first < userIds.length; first += peopleAtOnce) {
      const people = userIds.slice(first, first + peopleAtOnce);
      await Promise.all(
        people.map((userId) =>
          this.followFor(userId, event, { ...topic, keepsMessages: keepsAccess(userId, event, directory) }),
        ),
      );
    }
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

/** People who can no longer see the messages do not keep their policies. */
function keepsAccess(
  userId: number,
  { type, data, metadata }: RecordedEvent<MoveEvent>,
  directory: Directory,
): boolean {
  const reception = type === 'MessagesMoved' ? data.newChannel : null;
  if (reception === null) return true;
  const user = directory.user(userId);
  const channel = directory.channel(reception.channelId);
  if (user === null || channel === null) return false;
  const snapshot = { directory, now: metadata.at };
  return passes(reception, { directory, user }) || hasContentAccess(snapshot, user, channel);
}
