/** Fields that an error reply carries beside `result`, `msg` and `code` (docs/api/conventions.md). */
export type ErrorFields = Readonly<Record<string, unknown>>;

/** An error that clients can be given. */
export interface ErrorRow<Fields extends ErrorFields> {
  /** The API's error code. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  readonly message: (fields: Fields) => string;
}

/** An error with a code, a status and a message of its own. */
export function row<Fields extends ErrorFields = Record<never, never>>(
  code: string,
  status: number,
  message: string | ((fields: Fields) => string),
): ErrorRow<Fields> {
  return { code, status, message: typeof message === 'string' ? () => message : message };
}

/** A BAD_REQUEST without further fields: the most common error of the API. */
export function badRequest(message: string): ErrorRow<Record<never, never>> {
  return row('BAD_REQUEST', 400, message);
}

/** A BAD_REQUEST whose message contains the `reason` given to `failure`: a name, a number or a whole sentence. */
export function badRequestAbout(message: (reason: string) => string): ErrorRow<{ reason: string | number }> {
  return row('BAD_REQUEST', 400, ({ reason }) => message(String(reason)));
}

/** A BAD_REQUEST whose message is made from a structured reason. */
export function badRequestOf<Reason>(message: (reason: Reason) => string): ErrorRow<{ reason: Reason }> {
  return row('BAD_REQUEST', 400, ({ reason }) => message(reason));
}
