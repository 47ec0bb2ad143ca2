import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import type { Directory } from '../../access/directory.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { MessageReported, reportTypes } from '../../events/reports.js';
import { fitTopic, truncateContent } from '../../events/values/message-text.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { fenceFor, silentUserMention } from '../../markdown/written-names.js';
import { NoticeSender } from '../channels/notices.js';
import type { MessageDocument } from '../messages/message-document.js';
import { MessageReader } from '../messages/message-reader.js';
import { messageAddress, threadMessageLink } from '../messages/sending/place-links.js';
import { moderationChannel } from './reports.decide.js';

/** Code points of the reported message that are shown; the rest is behind the link. */
const MAX_SHOWN = 8_500;

/** The topic in the moderators' channel: one for each reported person, if that channel has topics. */
function reportTopic({ senderId }: MessageDocument, directory: Directory, hasTopics: boolean): string {
  if (!hasTopics) return '';
  return fitTopic(`${directory.user(senderId)?.fullName ?? 'Somebody'} moderation`);
}

/** The message to moderators: who reports whom, why, and the reported text. */
function reportText(
  { data: { reporterId, reportType, explanation } }: Recorded<typeof MessageReported>,
  message: MessageDocument,
  directory: Directory,
): string {
  const sentAt = `<time:${new Date(message.timestamp * 1000).toISOString()}>`;
  const opening = `${named(reporterId, directory)} reported ${whatOf(message, directory)}, sent ${sentAt}.`;
  const said = explanation === '' ? '' : ` ${explanation}`;
  const reason = fenced('quote', `**${reportTypes[reportType]}**.${said}`);
  const header = `spoiler Original message ${placeOf(message, directory)}`;
  return [opening, reason, fenced(header, truncateContent(message.content, MAX_SHOWN))].join('\n\n');
}

function whatOf({ senderId, channelId, participantIds }: MessageDocument, directory: Directory): string {
  const sender = named(senderId, directory);
  if (channelId !== null) return `a message by ${sender}`;
  const others = (participantIds ?? []).filter((id) => id !== senderId).map((id) => named(id, directory));
  return `a direct message by ${sender} to ${others.join(', ') || 'themselves'}`;
}

function placeOf(message: MessageDocument, directory: Directory): string {
  const { _id, channelId, topic } = message;
  if (channelId === null) return `[in a direct conversation](${messageAddress(message, directory)})`;
  return `at ${threadMessageLink({ channelId, topic: topic ?? '' }, _id, directory)}`;
}

function named(userId: number, directory: Directory): string {
  const user = directory.user(userId);
  return user === null ? 'somebody' : silentUserMention(user);
}

/** In a fence that the text cannot close. */
function fenced(opening: string, text: string): string {
  const fence = fenceFor(text);
  return `${fence}${opening}\n${text}\n${fence}`;
}

/**
 * Sends a message about a report to the moderators' channel, unless the reported message or the channel is
 * gone meanwhile.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class NotifyModerators implements Reactor {
  readonly name = 'tell-moderators';
  readonly on = on(MessageReported, (event) => this.notify(event));

  constructor(
    private readonly messages: MessageReader,
    private readonly notices: NoticeSender,
    private readonly follower: DirectoryFollower,
  ) {}

  private async notify(event: Recorded<typeof MessageReported>): Promise<void> {
    const directory = this.follower.current();
    const channel = moderationChannel(directory);
    const message = (await this.messages.cached([event.data.messageId])).get(event.data.messageId)?.document;
    if (channel === null || message === undefined) return;
    const topic = reportTopic(message, directory, channel.topicsPolicy !== 'empty_topic_only');
    await this.notices.send({
      to: { channelId: channel.id, topic },
      content: reportText(event, message, directory),
      causationId: event.id,
    });
  }
}
