import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Directory } from '../../access/directory.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import type { Channel } from '../../access/records/channel.js';
import type { Caller } from '../../http/caller.js';
import { ConsistentLog } from '../../http/consistency.js';
import { isLongerThan } from '../../kernel/bounded-text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { MessageReader } from '../messages/message-reader.js';
import type { ReportType } from '../../events/reports.js';

/** Reports a message that the caller can read to the organization's moderators. */
export class ReportMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly report: { readonly reportType: ReportType; readonly explanation: string },
  ) {
    super();
  }
}

/** The channel where messages are reported; null: there is none, or it is gone. */
export function moderationChannel(directory: Directory): Channel | null {
  const id = directory.organization?.settings.moderation_request_channel_id ?? -1;
  const channel = directory.channel(id);
  return channel?.isArchived === false ? channel : null;
}

@CommandHandler(ReportMessage)
export class ReportMessageHandler implements ICommandHandler<ReportMessage> {
  constructor(
    private readonly messages: MessageReader,
    private readonly log: ConsistentLog,
  ) {}

  /** @throws ApplicationError `noModerationChannel`, `invalidMessage`, `explanationTooLong`, `explanationRequired` */
  async execute({ caller, messageId, report }: ReportMessage): Promise<void> {
    const reading = await this.messages.open(caller);
    const { moment } = reading.context;
    if (moderationChannel(moment.directory) === null) throw failure('noModerationChannel');
    if ((await reading.locate(messageId)) === null) throw failure('invalidMessage');
    const explanation = report.explanation.trim();
    if (isLongerThan(explanation, budgets.reportExplanation.max)) throw failure('explanationTooLong');
    if (explanation === '' && report.reportType === 'other') throw failure('explanationRequired');
    const { reportType } = report;
    await this.log.append(
      { stream: 'reports', expected: 'any' },
      [{ type: 'MessageReported', data: { messageId, reporterId: caller.userId, reportType, explanation } }],
      requestMetadata(caller, moment.now),
    );
  }
}
