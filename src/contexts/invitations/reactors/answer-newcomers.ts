import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { systemBotIds } from '../../../access/system-bots.js';
import { MessageSent, storedUserIds } from '../../../events/messages.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import type { PersistedEvent } from '../../../stores/event-store/port.js';
import { NoticeSender } from '../../channels/notices.js';
import { conversationKey } from '../../messages/conversation-documents.js';
import type { MessageDocument } from '../../messages/message-document.js';
import { MessageReader } from '../../messages/message-reader.js';

/** The subjects that the welcome bot can answer, each with the words that ask for it. */
const subjects: readonly { readonly words: readonly string[]; readonly answer: string }[] = [
  {
    words: ['app', 'apps'],
    answer:
      'You can read and write from a phone or another computer too: apps that speak this API connect to the address that you log in at, with your e-mail address.',
  },
  {
    words: ['profile'],
    answer:
      'Your profile is what others see of you: your name, a picture, and what the organization asks for besides. You change it in the settings of your app.',
  },
  {
    words: ['theme'],
    answer: 'Most apps have a light and a dark theme: look for it in their settings.',
  },
  {
    words: ['channel', 'channels', 'stream', 'streams'],
    answer:
      'Channels say who gets a message: those who are subscribed. Each is about a subject, a team or a project. You can subscribe to public ones yourself; others are private.',
  },
  {
    words: ['topic', 'topics'],
    answer:
      'Topics say what a message is about. Each channel has many of them: reply within a topic, and start a new one for a new matter, so that several conversations can go on at once.',
  },
  {
    words: ['format', 'formatting'],
    answer:
      'You write in Markdown: `**bold**` is **bold**, `*slanted*` is *slanted*, and `@**name**` mentions somebody. A line of three backticks begins and ends code.',
  },
  {
    words: ['shortcut', 'shortcuts', 'keyboard', 'keyboard shortcuts'],
    answer: 'Many apps can be used by the keyboard alone: look for a list of shortcuts in their help.',
  },
  {
    words: ['help'],
    answer:
      'Ask me about `apps`, your `profile`, the `theme`, `channels`, `topics`, `formatting` or `shortcuts`. Everything else the people of your organization know best.',
  },
];

/** The welcome bot's answer to an unknown text, sent once. */
const WELCOME_HINT =
  'I am a program, and that was too much for me. Try one of these words: `apps`, `profile`, `theme`, `channels`, `topics`, `formatting`, `shortcuts`, `help`.';

/** The welcome bot's answer; null: the text is unknown. */
function welcomeAnswer(said: string): string | null {
  // Longer texts cannot be a known word.
  if (said.length > 100) return null;
  const word = said
    .trim()
    .toLowerCase()
    .replaceAll(/^[`"“]+|[`"”.!?]+$/g, '')
    .trim();
  return subjects.find(({ words }) => words.includes(word))?.answer ?? null;
}

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
      content: answer ?? WELCOME_HINT,
      causationId,
    });
  }

  private async hadHint(userId: number): Promise<boolean> {
    if (this.hinted.has(userId)) return true;
    const messages = (await this.messages.model()).collection<MessageDocument>('messages');
    const { welcome } = systemBotIds;
    const conversation = conversationKey([userId, welcome]);
    const filter = { conversation, senderId: welcome, content: WELCOME_HINT };
    return (await messages.find(filter, { sort: { _id: 1 }, limit: 1 })).length > 0;
  }
}

function isAddressed(recipient: unknown): boolean {
  const userIds = storedUserIds(recipient);
  return userIds.length === 2 && userIds.includes(systemBotIds.welcome);
}
