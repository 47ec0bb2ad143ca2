import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { Correspondence } from '../mail/correspondence.js';
import type { Letter, LetterSubject } from '../mail/letter.js';
import type { MessageDocument } from '../messages/message-document.js';
import { MessageReader } from '../messages/message-reader.js';
import { shownTopic } from '../messages/text.js';
import type { MissedMessagesMailed } from './events.js';

type Mailed = RecordedEvent<EventOf<typeof MissedMessagesMailed>>;

/** Writes to people about what they have yet to read. */
@Injectable()
export class MissedMessageLetters implements OnModuleInit {
  constructor(
    private readonly correspondence: Correspondence,
    private readonly reader: MessageReader,
    private readonly follower: DirectoryFollower,
  ) {}

  onModuleInit(): void {
    this.correspondence.add({
      because: 'MissedMessagesMailed',
      write: (event) => this.write(event as unknown as Mailed),
    });
  }

  /** What was deleted since, or taken out of the person's reach, is in no letter. */
  private async write({ data: { userId, messageIds } }: Mailed): Promise<Letter | null> {
    const directory = this.follower.current();
    const user = directory.user(userId);
    if (user?.isActive !== true || user.email === '') return null;
    const reading = await this.reader.open({ userId });
    const messages = (await reading.byIds(messageIds, [])).map(({ document }) => document);
    if (messages.length === 0) return null;
    const organization = directory.organization?.settings.name ?? '';
    const showsContent =
      directory.organization?.settings.message_content_allowed_in_email_notifications === true &&
      directory.settings.value(userId, 'message_content_in_email_notifications');
    const sections = conversationsOf(messages).map((conversation) =>
      sectionOf(conversation, directory, { userId, showsContent }),
    );
    const ending = `You get this letter because you were away from ${organization}. Your settings say when and of what you are written to.`;
    return {
      to: user.email,
      about: [...new Set([`user:${userId}` as const, ...messages.flatMap(subjectsOf)])],
      subject: subjectOf(sections, messages.length),
      text: `${sections.map(({ text }) => text).join('\n\n')}\n\n--\n${ending}\n`,
    };
  }
}

function subjectsOf({ _id, senderId, participantIds }: MessageDocument): readonly LetterSubject[] {
  const named = [senderId, ...(participantIds ?? [])];
  return [`message:${_id}`, ...named.map((id): LetterSubject => `user:${id}`)];
}

interface Section {
  readonly place: string;
  readonly text: string;
}

function subjectOf(sections: readonly Section[], count: number): string {
  const [first, another] = sections;
  if (first !== undefined && another === undefined) return `Unread: ${first.place}`;
  return `${count} unread messages in ${sections.length} conversations`;
}

/** The messages of each conversation together, in the order in which the conversations begin. */
function conversationsOf(messages: readonly MessageDocument[]): readonly (readonly MessageDocument[])[] {
  const byPlace = new Map<string, MessageDocument[]>();
  for (const message of messages) {
    const { channelId, topicKey, conversation } = message;
    const place = conversation ?? `${channelId} ${topicKey}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), message]);
  }
  return [...byPlace.values()];
}

function sectionOf(
  messages: readonly MessageDocument[],
  directory: Directory,
  { userId, showsContent }: { readonly userId: number; readonly showsContent: boolean },
): Section {
  const place = placeOf(messages[0]!, directory, userId);
  const nameOf = (id: number): string => directory.user(id)?.fullName ?? '';
  const said = messages.map(({ senderId, timestamp, content }) => {
    const line = `${nameOf(senderId)}, ${new Date(timestamp * 1000).toUTCString()}`;
    return showsContent ? `${line}\n${content.replaceAll(/^/gm, '    ')}` : line;
  });
  return { place, text: [place, ...said].join('\n\n') };
}

function placeOf(
  { channelId, topic, participantIds }: MessageDocument,
  directory: Directory,
  userId: number,
): string {
  if (channelId !== null) {
    const shown = shownTopic(topic ?? '', { allowEmptyTopicName: false });
    return `#${directory.channel(channelId)?.name ?? ''} > ${shown}`;
  }
  const others = (participantIds ?? []).filter((id) => id !== userId);
  const names = others.map((id) => directory.user(id)?.fullName ?? '');
  return `Direct messages with ${names.length === 0 ? 'yourself' : names.join(', ')}`;
}
