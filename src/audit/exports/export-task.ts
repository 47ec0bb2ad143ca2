import type { ExportType } from '../../events/exports.js';
import type { MadeExport } from './exports.decide.js';

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
