import { z } from 'zod';
import { claimSchema, signatureShape, wholeSchema } from '../../sealing/signed-tree-head.js';

const entrySchema = z.strictObject({
  /** Its path in the bundle. */
  name: z.string(),
  bytes: wholeSchema,
  /** SHA-256 digest, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The manifest of a bundle: a signed tree head that also lists the content of the bundle. See `docs/proofs.md`. */
export const manifestSchema = z.strictObject({
  format: z.literal('palimpsest-case-bundle'),
  version: z.literal(1),
  claim: claimSchema.extend({
    case: z.strictObject({
      id: wholeSchema,
      name: z.string(),
      description: z.string(),
      scope: z.strictObject({
        userIds: z.array(wholeSchema),
        channelIds: z.array(wholeSchema),
        since: z.string().nullable(),
        until: z.string().nullable(),
      }),
      words: z.string().nullable(),
      heldSince: z.string().nullable(),
    }),
    counts: z.strictObject({
      messages: wholeSchema,
      versions: wholeSchema,
      events: wholeSchema,
      files: wholeSchema,
      missingFiles: wholeSchema,
      unreadableEvents: wholeSchema,
    }),
    /** All entries except the manifest, in order. */
    entries: z.array(entrySchema),
  }),
  ...signatureShape,
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestEntry = z.infer<typeof entrySchema>;

/** Names of the entries that every bundle contains in addition to its pages and files. */
export const names = {
  manifest: 'manifest.json',
  readme: 'README.txt',
  index: 'index.html',
  messages: 'messages.ndjson',
  table: 'messages.csv',
  files: 'files.csv',
  proofs: 'proofs.ndjson',
} as const;
