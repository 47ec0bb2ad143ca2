import { OperatorError } from './kernel/operator-error.js';

/** What to tell an operator of a failed start: a sentence where they can mend it, else all that is known. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isAboutRoom(error)) return 'The disk of DATA_DIR is full: make room on it, and start again';
  if (!(error instanceof OperatorError)) return error.stack ?? error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Any file may be the one that finds no room, so whoever opened it does not matter. */
function isAboutRoom(error: Error): boolean {
  const { code, cause } = error as Error & { readonly code?: unknown };
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || (cause instanceof Error && isAboutRoom(cause));
}
