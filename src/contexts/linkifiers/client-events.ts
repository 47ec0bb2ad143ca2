import type { LinkifierEvent } from '../../events/linkifiers.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../realtime/mapper.js';
import { linkifierObjects } from './queries/linkifiers.js';

/** The linkifiers. */
export const linkifierState: InitialState = {
  // Older clients expect this list, but cannot use linkifiers with URL templates.
  realm_filters: () => ({ realm_filters: [] }),
  realm_linkifiers: ({ snapshot: { directory }, options }) => ({
    realm_linkifiers: options.capabilities.linkifier_url_template
      ? linkifierObjects(directory.linkifiers)
      : [],
  }),
};

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
