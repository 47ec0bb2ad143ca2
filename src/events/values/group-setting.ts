import { z } from 'zod';
import { sortedIds } from '../../kernel/ids.js';

/**
 * Who has a permission: a user group's id, or people and groups. An object with exactly one group and no
 * people is equal to that group's id.
 */
export const groupSettingSchema = z.union([
  z.number().int(),
  z.strictObject({ direct_members: z.array(z.number().int()), direct_subgroups: z.array(z.number().int()) }),
]);

export type GroupSetting = z.infer<typeof groupSettingSchema>;

/** The canonical form of a value: sorted lists without repetition, a single group as its id. */
export function normalizeGroupSetting(setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting;
  const members = sortedIds(setting.direct_members);
  const subgroups = sortedIds(setting.direct_subgroups);
  const [only] = subgroups;
  if (members.length === 0 && subgroups.length === 1 && only !== undefined) return only;
  return { direct_members: members, direct_subgroups: subgroups };
}

/** How many people and groups a value lists; none if it is a single group. */
export function sizeOfSetting(setting: GroupSetting): number {
  return typeof setting === 'number' ? 0 : setting.direct_members.length + setting.direct_subgroups.length;
}

/** How many people and groups several values list. */
export function sizeOfSettings(settings: Readonly<Record<string, GroupSetting | undefined>>): number {
  return Object.values(settings).reduce<number>(
    (sum, setting) => sum + (setting === undefined ? 0 : sizeOfSetting(setting)),
    0,
  );
}

/** A new value for a permission, and the present value that the client expects, if it sent one. */
export const permissionChangeSchema = z.object({
  new: groupSettingSchema,
  old: groupSettingSchema.nullish(),
});

export type PermissionChange = z.infer<typeof permissionChangeSchema>;

/** Whether two values name the same groups and people. */
export function isSameSetting(a: GroupSetting, b: GroupSetting): boolean {
  return JSON.stringify(normalizeGroupSetting(a)) === JSON.stringify(normalizeGroupSetting(b));
}
