import { z } from 'zod';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import type { DraftRequest } from '../draft-content.js';

const draft = z.object({
  type: z.enum(['', 'stream', 'channel', 'private', 'direct']),
  to: z.array(z.number().int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.number().optional(),
});

/** Parameters of POST /drafts (facts, section 5). */
export class SaveDraftsParameters {
  @JsonParameter({
    example: [{ type: 'stream', to: [1], topic: 'notes', content: 'Note G is alm' }],
    schema: z.array(draft).max(100),
    description:
      'Drafts as `{"type", "to", "topic", "content", "timestamp"}`: `to` is one channel’s id or those of people.',
  })
  drafts?: z.infer<typeof draft>[];
}

/** Parameters of PATCH /drafts/{draft_id} (facts, section 5). */
export class ChangeDraftParameters {
  @JsonParameter({
    example: { type: 'stream', to: [1], topic: 'notes', content: 'Note G is almost' },
    required: true,
    schema: draft,
    description: 'What replaces the draft: `{"type", "to", "topic", "content", "timestamp"}`.',
  })
  draft!: z.infer<typeof draft>;
}

/** What a parameter says of one draft. */
export function draftRequestOf({ type, to, topic, content, timestamp }: z.infer<typeof draft>): DraftRequest {
  return { type, to, topic, content, timestamp };
}
