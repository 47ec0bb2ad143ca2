import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import { NoticeSender } from '../channels/notices.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/on.js';
import { MessageReader } from '../messages/message-reader.js';
import { MessageReported } from '../../events/reports.js';
import { moderationChannel } from './reports.decide.js';
import { reportText, reportTopic } from './report-text.js';

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
