import type { ReportEvent } from '../../events/reports.js';
import { noClientEvent, type Mappers } from '../../realtime/mapper.js';

/** Moderators get a message about a report; there is no client event. */
export const reportMappers: Mappers<ReportEvent> = {
  MessageReported: noClientEvent,
};
