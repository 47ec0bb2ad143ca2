import { channelPermissionRows } from './channel-permission-rows.js';
import { messagePermissionRows } from './message-permission-rows.js';
import { peoplePermissionRows } from './people-permission-rows.js';
import type { PermissionRow } from './permission-row.js';

/**
 * Every permission of the API: the function that decides it, what it depends on, and the operations that
 * check it.
 */
export const permissionTable = {
  ...channelPermissionRows,
  ...messagePermissionRows,
  ...peoplePermissionRows,
} as const satisfies Record<string, PermissionRow>;

/** Name of a permission in the table. */
export type PermissionName = keyof typeof permissionTable;
