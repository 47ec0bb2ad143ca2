import { channelPermissionRows } from './channel-permission-rows.js';
import { messagePermissionRows } from './message-permission-rows.js';
import { peoplePermissionRows } from './people-permission-rows.js';
import type { PermissionRow } from './permission-row.js';

/** Every permission of the API: who decides it, what it hangs on, and which operations ask it. */
export const permissionTable = {
  ...channelPermissionRows,
  ...messagePermissionRows,
  ...peoplePermissionRows,
} as const satisfies Record<string, PermissionRow>;

/** What a permission is called in the table. */
export type PermissionName = keyof typeof permissionTable;
