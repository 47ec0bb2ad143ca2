import type { LinkifierEvent } from '../../events/linkifiers.js';
import { linkifierObjects } from './linkifier-object.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../realtime/mapper.js';

/** Client events about linkifiers: the complete list, for clients that support URL templates. */
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
