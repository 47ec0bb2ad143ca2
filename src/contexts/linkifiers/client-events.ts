import type { LinkifierEvent } from '../../events/linkifiers.js';
import { linkifierObjects } from './linkifier-object.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../realtime/mapper.js';

/** The linkifiers: the whole list, whatever of it changed, for clients that know URL templates. */
export const linkifierMappers: Mappers<LinkifierEvent> = {
  LinkifierAdded: { clientEvents: linkifiersEvent },
  LinkifierChanged: { clientEvents: linkifiersEvent },
  LinkifierRemoved: { clientEvents: linkifiersEvent },
  LinkifiersReordered: { clientEvents: linkifiersEvent },
};

function linkifiersEvent(
  _event: unknown,
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const linkifiers = linkifierObjects(directory.linkifiers);
  const event = { type: 'realm_linkifiers', realm_linkifiers: linkifiers };
  return [
    {
      to: 'everyone',
      event: ({ options }) => (options.capabilities.linkifier_url_template ? event : null),
    },
  ];
}
