import type { ExportType } from '../../events/exports.js';
import type { MadeExport } from './exports.decide.js';

/** What an export is to hold, and where its file is to be: plain JSON. */
export interface ExportInput {
  readonly type: ExportType;
  /** A path at which there is nothing. */
  readonly file: string;
  /** What the log holds up to this position is exported; what came after it may be. */
  readonly position: number;
}

/** Makes the file of an export, off the thread that answers requests. @throws ApplicationError `exportTooLarge` */
export type RunExport = (
  input: ExportInput,
  options: { readonly signal: AbortSignal },
) => Promise<MadeExport>;
