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

/** The text that explains a bundle to its reader. */
export function readmeText({ organization, statedAt, case: about, counts }: Manifest['claim']): string {
  return `Case ${about.id} of ${organization}: ${about.name}
Exported ${statedAt}: ${counts.messages} messages, ${counts.files} files, ${counts.events} events.

${names.index}       to read, in any browser: every version of every message, also of deleted ones
${names.messages}  the same to process, a JSON object a line
${names.table}     the same as a table, a line for each version (UTF-8)
${names.files}        the files that messages refer to, and where they are in this bundle
files/           the files themselves; they are whatever somebody uploaded, so open them with care
${names.proofs}    the stored events, each with the proof that it is in the organization's log (RFC 6962)
${names.manifest}    what is in this bundle, with a digest of each entry, and the head of the log; signed

Texts and files whose keys were destroyed are named, and cannot be given any more. What people wrote is in the stored events only
encrypted: that the texts here are theirs is what the signature says.

To check the bundle, without the log:

    palimpsest audit check BUNDLE.zip --signer SHA256:...

Have the fingerprint of the signer from somebody you trust, and not from the bundle: anybody can sign a log of their own.
`;
}
