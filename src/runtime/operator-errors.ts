import { OperatorError } from '../kernel/errors.js';

/** The text for an operator about a failed start: one sentence if they can correct the error, else everything that is known. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isDiskFull(error)) return 'The disk of DATA_DIR is full: make room on it, and start again';
  if (!(error instanceof OperatorError)) return ofTheSystem(error) ?? error.stack ?? error.message;
  const { message, cause } = error;
  const includesCause = !(cause instanceof Error) || message.includes(cause.message);
  return includesCause ? message : `${message}: ${cause.message}`;
}

/** Any file may hit a full disk, so these errors are recognised wherever they occur. */
export function isDiskFull(error: Error): boolean {
  const { code, cause } = error as Error & { readonly code?: unknown };
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || (cause instanceof Error && isDiskFull(cause));
}

/** Errors of the operating system that the configuration of the machine causes. */
const refusals: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EMFILE',
  'ENAMETOOLONG',
]);

/** Null for an error that only a change of the program can fix. */
function ofTheSystem(error: NodeJS.ErrnoException): string | null {
  const { code, syscall, message, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code === 'EADDRINUSE')
    return `${message}: something else listens there, so stop it, or set another PORT`;
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `${message}: set HOST to an address of this machine`;
  if (syscall === 'listen' && port !== undefined)
    return `${message}: the server may not listen there, so set another PORT or HOST`;
  if (!refusals.has(code)) return null;
  return syscall === 'connect'
    ? `${message}: it is for the user that the server runs as alone`
    : `The system refuses what is needed: ${message}`;
}
