import { isLongerThan } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { MessageReported, ReportType } from '../../events/reports.js';
import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';

/** Why a message is reported. */
export interface Report {
  readonly reportType: ReportType;
  /** As it was sent. */
  readonly explanation: string;
}

/**
 * Records a report. A person may report a message repeatedly.
 *
 * @throws ApplicationError `explanationTooLong`, `explanationRequired` for the type "other"
 */
export function decideReport(
  reported: { readonly messageId: number; readonly reporterId: number },
  { reportType, explanation: sent }: Report,
): readonly EventOf<typeof MessageReported>[] {
  const explanation = sent.trim();
  if (isLongerThan(explanation, budgets.reportExplanation.max)) throw failure('explanationTooLong');
  if (explanation === '' && reportType === 'other') throw failure('explanationRequired');
  return [{ type: 'MessageReported', data: { ...reported, reportType, explanation } }];
}

/** The channel for reports; null: none is set, or it does not exist any more. */
export function moderationChannel(directory: Directory): Channel | null {
  const id = directory.organization?.settings.moderation_request_channel_id ?? -1;
  const channel = directory.channel(id);
  return channel?.isArchived === false ? channel : null;
}
