import type { LinkifierEvent } from '../../linkifiers/events.js';
import { linkifierObject } from '../../linkifiers/linkifier-object.js';
import type { Notice, Scene, Translations } from '../translation.js';

/** The linkifiers: the whole list, whatever of it changed, for clients that know URL templates. */
export const linkifierTranslations: Translations<LinkifierEvent> = {
  LinkifierAdded: { notices: linkifiersNotice },
  LinkifierChanged: { notices: linkifiersNotice },
  LinkifierRemoved: { notices: linkifiersNotice },
  LinkifiersReordered: { notices: linkifiersNotice },
};

function linkifiersNotice(_event: unknown, { moment: { directory } }: Scene): readonly Notice[] {
  const linkifiers = directory.linkifiers.linkifiers.map(linkifierObject);
  const event = { type: 'realm_linkifiers', realm_linkifiers: linkifiers };
  return [
    {
      to: 'everyone',
      event: ({ options }) => (options.capabilities.linkifier_url_template ? event : null),
    },
  ];
}
