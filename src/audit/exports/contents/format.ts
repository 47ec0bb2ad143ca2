import type { ExportType } from '../../../events/exports.js';
import type { ManifestEntry } from '../../cases/bundle/format.js';
import type { MadeExport } from '../exports.decide.js';

/** Names of the entries that every export of messages contains in addition to its files. */
export const entryNames = {
  readme: 'README.txt',
  organization: 'organization.json',
  people: 'people.ndjson',
  channels: 'channels.ndjson',
  messages: 'messages.ndjson',
  files: 'files.csv',
  manifest: 'manifest.json',
} as const;

/** The last entry of an export. With its digests a reader can check that the export is complete. */
export interface ExportManifest {
  readonly format: 'palimpsest-export';
  readonly version: 1;
  readonly organization: string;
  readonly type: ExportType;
  /** ISO 8601. */
  readonly exported_at: string;
  readonly messages: number;
  readonly files: number;
  readonly missing_files: number;
  /** All entries except the manifest, in order; digests are hexadecimal SHA-256. */
  readonly entries: readonly ManifestEntry[];
}

/** The text that explains an export to its reader. */
export function readmeText({
  organization,
  type,
  exported_at,
}: Pick<ExportManifest, 'organization' | 'type' | 'exported_at'>): string {
  const scope =
    type === 'public'
      ? 'It holds what every member may read: the messages of public channels.'
      : 'It holds what every member may read, and what may be read by those who let administrators export their private data.';
  return `An export of ${organization}, made ${exported_at}.

${scope}
Messages stand here as they stood then; deleted messages and earlier texts are not in it.

${[
  [entryNames.organization, 'the organization'],
  [entryNames.people, 'a line of JSON for each account'],
  [entryNames.channels, 'a line of JSON for each channel'],
  [entryNames.messages, 'a line of JSON for each message, in the order in which they were sent'],
  [entryNames.files, 'the uploads that messages refer to, and where they are'],
  ['files/', 'the uploads'],
  [entryNames.manifest, 'a SHA-256 digest of everything else'],
]
  .map(([name = '', holds = '']) => `${name.padEnd(20)}${holds}`)
  .join('\n')}
`;
}

/** What an export is to contain, and where to write it: plain JSON. */
export interface ExportInput {
  readonly type: ExportType;
  /** Path at which no file exists yet. */
  readonly file: string;
  /** The export contains everything up to this position of the log; it may contain later events. */
  readonly position: number;
}

/** Makes the file of an export outside the thread that answers requests. @throws ApplicationError `exportTooLarge` */
export type RunExport = (
  input: ExportInput,
  options: { readonly signal: AbortSignal },
) => Promise<MadeExport>;
