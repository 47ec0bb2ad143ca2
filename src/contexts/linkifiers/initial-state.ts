import type { InitialState } from '../../realtime/initial-state.js';
import { linkifierObjects } from './linkifier-object.js';

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
