import { z } from 'zod';
import type { RenderReferences } from '../../markdown/references.js';

const named = { id: z.number().int(), name: z.string() };
const deactivated = z.exactOptional(z.literal(true));

/** What the names in a text resolved to when it was written: {@link RenderReferences}, as plain JSON. */
export const referencesSchema: z.ZodType<RenderReferences> = z.strictObject({
  users: z.exactOptional(z.array(z.strictObject({ ...named, deactivated }))),
  groups: z.exactOptional(z.array(z.strictObject({ ...named, deactivated }))),
  channels: z.exactOptional(z.array(z.strictObject(named))),
  topics: z.exactOptional(
    z.array(z.strictObject({ channelId: z.number().int(), topic: z.string(), messageId: z.number().int() })),
  ),
  emoji: z.exactOptional(z.record(z.string(), z.strictObject({ id: z.string(), url: z.string() }))),
  linkified: z.exactOptional(z.array(z.strictObject({ text: z.string(), url: z.string() }))),
  uploads: z.exactOptional(z.array(z.number().int())),
  translateEmoticons: z.exactOptional(z.literal(true)),
  codeLanguage: z.exactOptional(z.string()),
  withoutPreviews: z.exactOptional(z.literal(true)),
});
