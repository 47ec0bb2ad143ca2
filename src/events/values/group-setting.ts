import { z } from 'zod';

/**
 * Who may do a thing: a user group's id, or people and groups named directly (specification, "What the service does", 8).
 * An object that holds exactly one group and nobody else is the same as that group's id.
 */
export const groupSettingSchema = z.union([
  z.number().int(),
  z.strictObject({ direct_members: z.array(z.number().int()), direct_subgroups: z.array(z.number().int()) }),
]);

export type GroupSetting = z.infer<typeof groupSettingSchema>;

/** The one way to write a value: lists sorted without repetition, a single group as its id. */
export function normalizeGroupSetting(setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting;
  const members = sortedUnique(setting.direct_members);
  const subgroups = sortedUnique(setting.direct_subgroups);
  const [only] = subgroups;
  if (members.length === 0 && subgroups.length === 1 && only !== undefined) return only;
  return { direct_members: members, direct_subgroups: subgroups };
}

function sortedUnique(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** A new value for a permission, and what the client believes it is now, where it says so (facts, section 1). */
export const permissionChangeSchema = z.object({
  new: groupSettingSchema,
  old: groupSettingSchema.nullish(),
});

export type PermissionChange = z.infer<typeof permissionChangeSchema>;

/** Whether two values name the same groups and people. */
export function isSameSetting(a: GroupSetting, b: GroupSetting): boolean {
  return JSON.stringify(normalizeGroupSetting(a)) === JSON.stringify(normalizeGroupSetting(b));
}
