import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { MessageReader } from '../../messages/message-reader.js';
import { decideReport, type Report, moderationChannel } from '../reports.decide.js';

/**
 * Reports a message that the caller can read to the organization's moderators (`POST
 * /messages/{message_id}/report`).
 */
export class ReportMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly report: Report,
  ) {
    super();
  }
}

@CommandHandler(ReportMessage)
export class ReportMessageHandler implements ICommandHandler<ReportMessage> {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
  ) {}

  /** @throws ApplicationError `noModerationChannel`, `invalidMessage`, and those of {@link decideReport} */
  async execute({ caller, messageId, report }: ReportMessage): Promise<void> {
    const session = await this.messages.open(caller);
    const { snapshot } = session.context;
    if (moderationChannel(snapshot.directory) === null) throw failure('noModerationChannel');
    if ((await session.locate(messageId)) === null) throw failure('invalidMessage');
    const events = decideReport({ messageId, reporterId: caller.userId }, report);
    const metadata = requestMetadata(caller, snapshot.now);
    await this.decisions.append('reports', events, metadata);
  }
}
