import type { Actor } from '../../access/actor.js';
import type { StoredImage } from '../../stores/file-store/image.js';
import { failure } from '../../kernel/errors.js';
import { isAdministrator } from '../../access/records/roles.js';
import { type OrganizationEvent, type PictureKind } from '../../events/organization.js';
import { organizationNumber } from '../../kernel/api-constants.js';
import type { Organization } from '../../access/records/organization.js';

/** Where the pictures are served, whatever they are: clients know these addresses. */
export const picturesPath = `/user_avatars/${organizationNumber}/realm/`;

const defaults: Readonly<Record<PictureKind, { readonly url: string; readonly source: string }>> = {
  icon: { url: '/static/images/default-avatar.png?version=0', source: 'G' },
  logo: { url: '/static/images/logo/zulip-org-logo.svg?version=0', source: 'D' },
  night_logo: { url: '/static/images/logo/zulip-org-logo.svg?version=0', source: 'D' },
};

/** Where a picture is, relative to the server, and whether it is the organization's own (`U`). */
export function pictureOf(
  { pictures }: Pick<Organization, 'pictures'>,
  kind: PictureKind,
): { readonly url: string; readonly source: string } {
  const own = pictures?.[kind];
  if (own?.stored == null) return defaults[kind];
  return { url: `${picturesPath}${kind}.png?version=${own.version}`, source: 'U' };
}

/**
 * Gives the organization a picture, or takes it away (null); no events where there is none to take away.
 *
 * @throws ApplicationError `administratorRequired`
 */
export function decidePicture(
  { pictures }: Organization,
  { kind, image }: { readonly kind: PictureKind; readonly image: StoredImage | null },
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const replacedName = pictures?.[kind]?.stored?.storageName ?? null;
  if (image === null) {
    return replacedName === null
      ? []
      : [{ type: 'OrganizationPictureRemoved', data: { kind, replacedName } }];
  }
  const { stored, fileName } = image;
  const { name: storageName, contentKey, size } = stored;
  return [
    {
      type: 'OrganizationPictureChanged',
      data: { kind, storageName, contentKey, fileName, size, replacedName },
    },
  ];
}
