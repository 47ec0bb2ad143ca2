import { Injectable, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Directory } from '../../access/directory.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { isEvent, type Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { EmailTemplates, type Email, type EmailMention } from '../mail/email.js';
import { emailBody, paragraph, type EmailPart } from '../mail/email-body.js';
import type { MessageDocument } from '../messages/message-document.js';
import { MessageReader } from '../messages/message-reader.js';
import { messageAddress } from '../messages/sending/place-links.js';
import { shownTopic } from '../../events/values/message-text.js';
import { PublicAddress } from '../../http/public-address.js';
import { MessageMissed, MissedMessagesMailed } from '../../events/missed-messages.js';
import { mailChoiceOf, subjectOfChoice, type MailChoice } from './mail-choice.js';
import { messagesBeforeMentions } from './mention-context.js';
import { MessageTexts } from './message-texts.js';
import { missedStream } from './missed-messages.state.js';
import { loadInSteps } from './load-in-steps.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Maximum number of messages of one conversation in an e-mail: the newest ones. */
const MAX_SHOWN = 10;

/** Code points of a message that an e-mail shows. */
const MAX_TEXT_LENGTH = 2_000;

/** Writes e-mails about people's unread messages. */
@Injectable()
export class MissedMessageEmails implements OnModuleInit {
  /** One e-mail is written after another, so that all of them together leave turns of the event loop to others. */
  private readonly oneAtATime = pLimit(1);
  private readonly slice = new TimeSlice();

  constructor(
    private readonly templates: EmailTemplates,
    private readonly reader: MessageReader,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly log: EventLog,
    private readonly unsubscribing: UnsubscribeLinks,
    private readonly texts: MessageTexts,
  ) {}

  onModuleInit(): void {
    this.templates.add(on(MissedMessagesMailed, (event) => this.oneAtATime(() => this.write(event))));
  }

  /** Messages that were deleted since, or that the person may not see any more, are left out. */
  private async write({
    data: { userId, messageIds },
  }: Recorded<typeof MissedMessagesMailed>): Promise<Email | null> {
    const directory = this.follower.current();
    const user = directory.user(userId);
    if (user?.isActive !== true || user.email === '') return null;
    const { slice } = this;
    if (slice.isOver) await slice.next();
    const text = this.texts.reading();
    const session = await this.reader.open({ userId });
    const messages = await loadInSteps(session, await session.byIds(messageIds, []), slice);
    if (messages.length === 0) return null;
    const { url: site } = this.address;
    const { organizationName: organization } = directory;
    const showsContent = isContentShownTo(userId, directory);
    // Nothing to write if none of the messages are left.
    const conversations = conversationsOf(messages);
    const shown = conversations.flatMap((conversation) => conversation.slice(-MAX_SHOWN));
    const before = showsContent ? await messagesBeforeMentions(session, { shown, messages }, slice) : [];
    const textOf = (message: MessageDocument): string | null =>
      showsContent ? text(message, MAX_TEXT_LENGTH) : null;
    const sections: Section[] = [];
    for (const conversation of conversations) {
      if (slice.isOver) await slice.next();
      sections.push(await sectionOf(conversation, directory, { userId, textOf, site, before, slice }));
    }
    const choice = await this.choiceFor(userId, messages[0]!);
    const unsubscribeUrl = this.unsubscribing.to(user, choice);
    return {
      to: user.email,
      about: [...new Set([`user:${userId}` as const, ...[...before, ...messages].flatMap(subjectsOf)])],
      subject: subjectOf(sections, messages.length),
      unsubscribeUrl,
      ...emailBody(
        [
          ...sections.flatMap(({ parts }) => parts),
          paragraph(endingFor(organization, subjectOfChoice(choice, directory))),
          { kind: 'link', label: 'Unsubscribe', url: unsubscribeUrl },
        ],
        { organization, site, email: user.email },
      ),
    };
  }

  /** The setting that turns off this kind of e-mail: its first message decides the kind. */
  private async choiceFor(userId: number, { _id, channelId }: MessageDocument): Promise<MailChoice> {
    const [missed] = await this.log.readStream(missedStream(_id), { from: 0, limit: 1 });
    const mailed = isEvent(missed, MessageMissed) ? missed.data.mail : [];
    const trigger = mailed.find((one) => one.userId === userId)?.trigger;
    if (trigger === undefined) throw new Error(`Nothing in the log says why ${userId} misses message ${_id}`);
    return mailChoiceOf({ userId, trigger, channelId }, this.follower.current());
  }
}

function subjectsOf({ _id, senderId, participantIds }: MessageDocument): readonly EmailMention[] {
  const named = [senderId, ...(participantIds ?? [])];
  return [`message:${_id}`, ...named.map((id): EmailMention => `user:${id}`)];
}

interface Section {
  readonly place: string;
  readonly parts: readonly EmailPart[];
}

function subjectOf(sections: readonly Section[], count: number): string {
  const [first, another] = sections;
  if (first !== undefined && another === undefined) return `Unread: ${first.place}`;
  return `${count} unread messages in ${sections.length} conversations`;
}

/** The messages grouped by conversation, in the order in which the conversations begin. */
function conversationsOf(messages: readonly MessageDocument[]): readonly (readonly MessageDocument[])[] {
  const byPlace = new Map<string, MessageDocument[]>();
  for (const message of messages) {
    const place = placeKey(message);
    byPlace.set(place, [...(byPlace.get(place) ?? []), message]);
  }
  return [...byPlace.values()];
}

function placeKey({ channelId, topicKey, conversation }: MessageDocument): string {
  return conversation ?? `${channelId} ${topicKey}`;
}

/** How messages are shown to their reader. */
interface Showing {
  readonly userId: number;
  /** Null: the text is not shown. */
  readonly textOf: (message: MessageDocument) => string | null;
  readonly site: string;
  /** Messages before mentions, in any conversation. */
  readonly before: readonly MessageDocument[];
  readonly slice: TimeSlice;
}

/** The newest messages of a conversation with those before mentions, and a link to the first of them. */
async function sectionOf(
  messages: readonly MessageDocument[],
  directory: Directory,
  { userId, textOf, site, before, slice }: Showing,
): Promise<Section> {
  const shown = messages.slice(-MAX_SHOWN);
  const first = shown[0]!;
  const place = placeOf(first, directory, userId);
  const left = messages.length - shown.length;
  const around = before.filter((message) => placeKey(message) === placeKey(first));
  const quotations: EmailPart[] = [];
  for (const message of [...shown, ...around].sort((one, other) => one._id - other._id)) {
    if (slice.isOver) await slice.next();
    const { senderId, timestamp } = message;
    const by = `${directory.user(senderId)?.fullName ?? ''}, ${new Date(timestamp * 1000).toUTCString()}`;
    quotations.push({ kind: 'quotation', by, text: textOf(message) });
  }
  return {
    place,
    parts: [
      { kind: 'heading', text: place },
      ...(left > 0 ? [paragraph(`${left} more before these:`)] : []),
      ...quotations,
      { kind: 'link', label: 'Open the conversation', url: `${site}/${messageAddress(first, directory)}` },
    ],
  };
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

/** Whether the organization and the person let e-mails contain what messages say. */
function isContentShownTo(userId: number, { organization, settings }: Directory): boolean {
  return (
    organization?.settings.message_content_allowed_in_email_notifications === true &&
    settings.value(userId, 'message_content_in_email_notifications')
  );
}

function endingFor(organization: string, subject: string): string {
  return `You get this e-mail because you were away from ${organization}. Your settings say when and of what you are written to. To get no more e-mails about ${subject}, follow this link:`;
}
