import { z } from 'zod';
import { id } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import {
  draftSchema,
  navigationViewSchema,
  reminderSchema,
  savedSnippetSchema,
  scheduledMessageSchema,
} from './personal.replies.js';

const steps = z.array(z.strictObject({ type: z.string(), name: z.string() }));

/** Schemas of the client events about drafts, reminders, scheduled messages and the like. */
export const personalEventSchemas = [
  clientEvent('drafts', 'add', { drafts: z.array(draftSchema) }),
  clientEvent('drafts', 'update', { draft: draftSchema }),
  clientEvent('drafts', 'remove', { draft_id: id }),
  clientEvent('reminders', 'add', { reminders: z.array(reminderSchema) }),
  clientEvent('reminders', 'remove', { reminder_id: id }),
  clientEvent('scheduled_messages', 'add', { scheduled_messages: z.array(scheduledMessageSchema) }),
  clientEvent('scheduled_messages', 'update', { scheduled_message: scheduledMessageSchema }),
  clientEvent('scheduled_messages', 'remove', { scheduled_message_id: id }),
  clientEvent('saved_snippets', 'add', { saved_snippet: savedSnippetSchema }),
  clientEvent('saved_snippets', 'update', { saved_snippet: savedSnippetSchema }),
  clientEvent('saved_snippets', 'remove', { saved_snippet_id: id }),
  clientEvent('navigation_view', 'add', { navigation_view: navigationViewSchema }),
  clientEvent('navigation_view', 'update', {
    fragment: z.string(),
    data: z.strictObject({ is_pinned: z.boolean().optional(), name: z.string().optional() }),
  }),
  clientEvent('navigation_view', 'remove', { fragment: z.string() }),
  clientEvent('onboarding_steps', null, { onboarding_steps: steps }),
];

/** Schemas of the initial state about the same. */
export const personalStateFields = {
  drafts: z.array(draftSchema).optional().describe('Newest first'),
  reminders: z.array(reminderSchema).optional(),
  scheduled_messages: z.array(scheduledMessageSchema).optional(),
  saved_snippets: z.array(savedSnippetSchema).optional(),
  navigation_views: z.array(navigationViewSchema).optional(),
  onboarding_steps: steps.optional(),
  navigation_tour_video_url: z.null().optional(),
} as const;
