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
 * Tells moderators of a message that somebody can read, as often as they report it.
 *
 * @throws ApplicationError `explanationTooLong`, `explanationRequired` for a report of no other type
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

/** The channel where messages are reported; null: there is none, or it is gone. */
export function moderationChannel(directory: Directory): Channel | null {
  const id = directory.organization?.settings.moderation_request_channel_id ?? -1;
  const channel = directory.channel(id);
  return channel?.isArchived === false ? channel : null;
}
