import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { MessageSent, storedUserIds } from '../../../events/messages.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import { NoticeSender } from '../../channels/notices.js';
import { type MessageDocument } from '../../messages/message-document.js';
import { conversationKey } from '../../messages/conversation-documents.js';
import { MessageReader } from '../../messages/message-reader.js';
import { systemBotIds } from '../../../access/system-bots.js';
import { welcomeAnswer, welcomeHint } from '../welcome-answers.js';

/** Makes the welcome bot answer direct messages to it: known words always, other texts once, with a hint. */
@Injectable()
@RunsAsReactor()
export class AnswerNewcomers implements Reactor {
  readonly name = 'answer-newcomers';
  readonly on = on(MessageSent, (event) => this.answer(event));

  /** Few messages are sent to the welcome bot. */
  readonly concerns = ({ data }: PersistedEvent): boolean =>
    data['senderId'] !== systemBotIds.welcome && isAddressed(data['recipient']);

  /** People who got the hint recently; read models may not include it yet. */
  private readonly hinted = new LRUCache<number, true>({ max: 1_000 });

  constructor(
    private readonly messages: MessageReader,
    private readonly notices: NoticeSender,
    private readonly follower: DirectoryFollower,
  ) {}

  private async answer({ id: causationId, data }: Recorded<typeof MessageSent>): Promise<void> {
    const { senderId, content } = data;
    const user = this.follower.current().user(senderId);
    if (user?.isActive !== true || user.bot !== null) return;
    const answer = welcomeAnswer(content);
    if (answer === null && (await this.hadHint(senderId))) return;
    if (answer === null) this.hinted.set(senderId, true);
    await this.notices.send({
      from: 'welcome',
      to: { userIds: [senderId] },
      content: answer ?? welcomeHint,
      causationId,
    });
  }

  private async hadHint(userId: number): Promise<boolean> {
    if (this.hinted.has(userId)) return true;
    const messages = (await this.messages.model()).collection<MessageDocument>('messages');
    const { welcome } = systemBotIds;
    const conversation = conversationKey([userId, welcome]);
    const filter = { conversation, senderId: welcome, content: welcomeHint };
    return (await messages.find(filter, { sort: { _id: 1 }, limit: 1 })).length > 0;
  }
}

function isAddressed(recipient: unknown): boolean {
  const userIds = storedUserIds(recipient);
  return userIds.length === 2 && userIds.includes(systemBotIds.welcome);
}
