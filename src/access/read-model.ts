import type { ModelDefinition } from '../stores/read-store/port.js';
import { RENDERER_VERSION } from '../markdown/render.js';

/**
 * Version of the records' shape; the renderer has a version of its own that counts too, because profiles
 * contain Markdown.
 */
const SHAPE_VERSION = 16;

/** The directory: every node has it in memory, and loads it from this model when it starts. */
export const directoryModel: ModelDefinition = {
  name: 'directory',
  version: SHAPE_VERSION * 1000 + RENDERER_VERSION,
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
