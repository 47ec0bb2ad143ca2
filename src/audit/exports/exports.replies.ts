import { z } from 'zod';
import { exportTypes } from '../../events/exports.js';
import { type Described, id, named, seconds, secondsOrNever } from '../../http/replies/common-schemas.js';
import { toSeconds } from '../../kernel/clock.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import type { Export } from './exports.state.js';

/** An export of the organization (`GET /export/realm`). */
const exportSchema = named(
  'OrganizationExport',
  z.strictObject({
    id,
    acting_user_id: id,
    export_time: seconds,
    export_url: z.string().nullable().describe('Null: the file does not exist yet, or no longer'),
    deleted_timestamp: secondsOrNever,
    failed_timestamp: secondsOrNever,
    pending: z.boolean(),
    export_type: z.enum(exportTypes),
  }),
);

export type ExportObject = Described<typeof exportSchema>;

/** Whether a person lets administrators export what only some may read. */
const exportConsentSchema = z.strictObject({
  user_id: id,
  consented: z.boolean(),
  email_address_visibility: z
    .int()
    .describe('Who may see the e-mail address of the account: its setting `email_address_visibility`'),
});

export type ExportConsent = Described<typeof exportConsentSchema>;

/** Answered by `POST export/realm`. */
export const requestedExportReply = { id };

/** Answered by `GET export/realm`. */
export const exportsReply = { exports: z.array(exportSchema) };

/** Answered by `GET export/realm/consents`. */
export const exportConsentsReply = {
  export_consents: z.array(exportConsentSchema),
};

/** Client events for administrators about exports and about consent to them. */
export const exportEventSchemas = [
  clientEvent('realm_export', null, { exports: z.array(exportSchema) }),
  clientEvent('realm_export_consent', null, { user_id: id, consented: z.boolean() }),
];

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
