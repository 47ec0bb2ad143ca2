import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { reportTypeKeys, type ReportType } from '../../events/reports.js';
import { ReportMessage } from './commands/reports.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { budgets } from '../../kernel/budgets.js';

/** Parameters of POST /messages/{message_id}/report. */
class ReportMessageParameters {
  @TextParameter({
    example: 'spam',
    required: true,
    values: reportTypeKeys,
    description: 'The reason for the report: a key of `server_report_message_types`.',
  })
  @IsIn(reportTypeKeys)
  report_type!: ReportType;

  @TextParameter({
    maxLength: budgets.reportExplanation.max,
    description: 'An explanation: at most 1,000 code points. Required with the reason `other`.',
  })
  description?: string;
}

/** Reports to moderators. */
@ApiTags('messages')
@Controller('messages')
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

  /** Reports a message to the moderators. */
  @Reply()
  @Post(':message_id/report')
  async report(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(ReportMessageParameters) parameters: ReportMessageParameters,
  ): Promise<void> {
    const { report_type: reportType, description: explanation = '' } = parameters;
    await this.commands.execute(new ReportMessage(caller, messageId, { reportType, explanation }));
  }
}
