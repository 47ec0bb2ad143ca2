import { isAdministrator } from '../../access/records/roles.js';
import type { ExportEvent } from '../../events/exports.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { mapper, NO_CLIENT_EVENT, type Mapper, type Mappers } from '../../realtime/mapper.js';
import { exportObject } from './exports.replies.js';
import type { Exports } from './exports.state.js';

/** What client events about exports are made from. */
export interface ExportModels {
  /** The address of this server for clients. */
  readonly address: { readonly url: string };
  /** The exports as of an event of their stream, or a later one. @param revision revision of that event */
  exports(revision: number): Promise<Exports>;
}

/** The whole list of exports, for administrators. */
const listed: Mapper<RecordedEvent<ExportEvent>, ExportModels> = mapper({
  read: async ({ revision }: RecordedEvent<ExportEvent>, models: ExportModels) => {
    const { known } = await models.exports(revision);
    return known.map((one) => exportObject(one, models.address.url));
  },
  clientEvents: (_event, { read: exports }) => [
    { to: isAdministrator, event: { type: 'realm_export', exports } },
  ],
});

/** Administrators receive an event for each step of an export. */
export const exportMappers: Mappers<ExportEvent, ExportModels> = {
  ExportRequested: listed,
  // The export is pending before and after.
  ExportStarted: NO_CLIENT_EVENT,
  ExportCompleted: listed,
  ExportFailed: listed,
  ExportDeleted: listed,
  // Auditors see downloads in the log.
  ExportDownloaded: NO_CLIENT_EVENT,
};
