import type { ReportEvent } from '../../events/reports.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Moderators are told of a report by a message. */
export const reportMappers: Mappers<ReportEvent> = {
  MessageReported: noClientEvent,
};
