import { Injectable } from '@nestjs/common';
import { ModelBehindError } from '../../../projections/engine/reactor.js';
import { NoticeSender, type Notice, type NoticeAddressee } from '../channels/notices.js';
import { ConversationLookup, KnownPeople } from '../../access/known-people.js';
import type { Snapshot } from '../../access/snapshot.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf, randomCommandId } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { idAtRevision, sortedIds } from '../../kernel/ids.js';
import { systemBotIds } from '../../access/system-bots.js';
import type { User } from '../../access/records/user.js';
import { noUploads, type ComposingContext } from './sending/compose-text.js';
import { decideSendNotice } from './sending/sending.decide.js';
import { type Recipient, MESSAGES_STREAM } from '../../events/messages.js';

/**
 * Sends messages of one of the server's bots, once for each cause. A notice counts as sent when readers can
 * find it, because replies wait for the reactors that send notices.
 */
@Injectable()
export class NotificationBot extends NoticeSender {
  private readonly people: KnownPeople;

  constructor(
    private readonly decisions: Decisions,
    conversations: ConversationLookup,
  ) {
    super();
    this.people = new KnownPeople(conversations);
  }

  override async send(notice: Notice): Promise<number> {
    const { from = 'notification', to, causationId } = notice;
    const snapshot = this.decisions.snapshot();
    const sender = botOf(snapshot, from);
    const recipient = recipientOf(to, sender);
    const context = {
      snapshot,
      sender,
      recipient,
      topicParticipantIds: [],
      uploads: noUploads,
      ...(await this.authorOf(notice, snapshot)),
    };
    const { events } = await this.decisions.append(
      MESSAGES_STREAM,
      decideSendNotice(notice, context),
      serverMetadata(commandIdFor(notice, recipient), snapshot.now, causationId),
    );
    return idAtRevision(events[0]!.revision);
  }

  private async authorOf(
    { authorId }: Notice,
    snapshot: Snapshot,
  ): Promise<Pick<ComposingContext, 'author' | 'knows'>> {
    const author = authorId === undefined ? null : snapshot.directory.user(authorId);
    return author === null ? {} : { author, knows: await this.people.predicateFor(author, snapshot) };
  }
}

/**
 * Without a purpose, the id is that of earlier versions, so that what they sent is not sent again. Of what they sent for
 * a purpose, a notice whose handling the upgrade cut off is sent again.
 */
function commandIdFor({ causationId, purpose }: Notice, recipient: Recipient): string {
  if (causationId === null) return randomCommandId();
  const purposes = purpose === undefined ? [] : [purpose];
  return commandIdOf(['notice', causationId, JSON.stringify(recipient), ...purposes]);
}

function botOf({ directory }: Snapshot, name: keyof typeof systemBotIds): User {
  const bot = directory.user(systemBotIds[name]);
  if (bot === null) throw new ModelBehindError('The directory');
  return bot;
}

function recipientOf(to: NoticeAddressee, bot: User): Recipient {
  if ('channelId' in to) return { type: 'channel', channelId: to.channelId, topic: to.topic };
  return { type: 'direct', userIds: sortedIds([...to.userIds, bot.id]) };
}
