import type { InitialState } from '../../realtime/initial-state.js';
import { linkifierObjects } from './linkifier-object.js';

/** What in messages becomes a link. */
export const linkifierState: InitialState = {
  // Older clients expect the list, and know nothing of what could stand in it.
  realm_filters: () => ({ realm_filters: [] }),
  realm_linkifiers: ({ snapshot: { directory }, options }) => ({
    realm_linkifiers: options.capabilities.linkifier_url_template
      ? linkifierObjects(directory.linkifiers)
      : [],
  }),
};
