import type { ModelDefinition } from '../stores/read-store/port.js';
import { RENDERER_VERSION } from '../markdown/render.js';

/** The version of the records' shape; the renderer's own version counts with it, because profiles hold Markdown. */
const shapeVersion = 15;

/** Who exists and who may do what: what every node holds in memory, and loads from here when it starts. */
export const directoryModel: ModelDefinition = {
  name: 'directory',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'organization', indexes: [] },
    { name: 'users', indexes: [] },
    { name: 'user_settings', indexes: [] },
    { name: 'setting_defaults', indexes: [] },
    { name: 'statuses', indexes: [] },
    { name: 'profile_fields', indexes: [] },
    { name: 'profiles', indexes: [] },
    { name: 'linkifiers', indexes: [] },
    { name: 'custom_emoji', indexes: [] },
    { name: 'user_groups', indexes: [] },
    { name: 'channels', indexes: [] },
    { name: 'channel_folders', indexes: [] },
    { name: 'subscriptions', indexes: [] },
    { name: 'edition', indexes: [] },
  ],
};
