import type { PictureKind } from '../../events/organization.js';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import type { Organization } from '../../access/records/organization.js';

/** Path of the pictures, which clients know. */
export const PICTURES_PATH = `/user_avatars/${ORGANIZATION_NUMBER}/realm/`;

const defaults: Readonly<Record<PictureKind, { readonly url: string; readonly source: string }>> = {
  icon: { url: '/static/images/default-avatar.png?version=0', source: 'G' },
  logo: { url: '/static/images/logo/zulip-org-logo.svg?version=0', source: 'D' },
  night_logo: { url: '/static/images/logo/zulip-org-logo.svg?version=0', source: 'D' },
};

/** The path of a picture, and whether it is the organization's own (`U`). */
export function pictureOf(
  { pictures }: Pick<Organization, 'pictures'>,
  kind: PictureKind,
): { readonly url: string; readonly source: string } {
  const own = pictures?.[kind];
  if (own?.stored == null) return defaults[kind];
  return { url: `${PICTURES_PATH}${kind}.png?version=${own.version}`, source: 'U' };
}
