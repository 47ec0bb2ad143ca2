import { toSeconds } from '../../kernel/clock.js';
import type { ExportObject } from './exports.replies.js';
import type { Export } from './exports.state.js';

/**
 * An export as replies and client events show it (`GET /export/realm`); times are in seconds since the UNIX epoch.
 *
 * @param site the address of the server for clients, without a final slash
 */
export function exportObject(one: Export, site: string): ExportObject {
  const { id, type, userId, requestedAt, made, failed, deletedAt } = one;
  return {
    id,
    acting_user_id: userId,
    export_time: toSeconds(requestedAt),
    export_url: made === null || deletedAt !== null ? null : exportUrl(id, site),
    deleted_timestamp: deletedAt === null ? null : toSeconds(deletedAt),
    failed_timestamp: failed === null ? null : toSeconds(failed.at),
    pending: made === null && failed === null,
    export_type: type,
  };
}

/** The address at which an administrator downloads an export, with their own API key. */
export function exportUrl(exportId: number, site: string): string {
  return `${site}/api/v1/export/realm/${exportId}/file`;
}
