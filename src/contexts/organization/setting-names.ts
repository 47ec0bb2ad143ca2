import type { OrganizationSettingName } from '../../events/values/organization-settings.js';

/** Settings whose name in the API changed after their events got theirs, by the name in events. */
const renamed: Readonly<Partial<Record<OrganizationSettingName, string>>> = {
  giphy_rating: 'gif_rating_policy',
};

/** A setting's name in the API. `PATCH /realm` accepts the name in events, too. */
export function apiNameOf(name: OrganizationSettingName): string {
  return renamed[name] ?? name;
}
