import type { ModelDefinition } from '../../stores/read-store/port.js';
import { RENDERER_VERSION } from '../../markdown/render.js';

/** The version of the documents' shape; the renderer's own version counts with it. */
const shapeVersion = 6;

/** What concerns one person alone: their drafts, reminders and scheduled messages, what they saved, their menu, what they need not be shown again, and what bots noted. */
export const personalModel: ModelDefinition = {
  name: 'personal',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'drafts', indexes: [{ key: { userId: 1, timestamp: 1, draftId: 1 } }] },
    { name: 'reminders', indexes: [{ key: { userId: 1, dueAt: 1, reminderId: 1 } }, { key: { dueAt: 1 } }] },
    { name: 'remembered', indexes: [{ key: { messageId: 1 } }] },
    {
      name: 'scheduled_messages',
      indexes: [{ key: { userId: 1, dueAt: 1, scheduledId: 1 } }, { key: { queuedAt: 1 } }],
    },
    { name: 'saved_snippets', indexes: [{ key: { userId: 1, snippetId: 1 } }] },
    { name: 'navigation_views', indexes: [{ key: { userId: 1, viewId: 1 } }] },
    { name: 'bot_storage', indexes: [{ key: { userId: 1, key: 1 } }] },
    { name: 'onboarding_steps', indexes: [{ key: { userId: 1 } }] },
  ],
};
