/** Fields that an error reply carries beside `result`, `msg` and `code` (specification, "Errors"). */
export type ErrorFields = Readonly<Record<string, unknown>>;

interface ErrorRow<Fields extends ErrorFields> {
  /** The API's error code. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  readonly message: (fields: Fields) => string;
}

function row<Fields extends ErrorFields = Record<never, never>>(
  code: string,
  status: number,
  message: string | ((fields: Fields) => string),
): ErrorRow<Fields> {
  return { code, status, message: typeof message === 'string' ? () => message : message };
}

/** A BAD_REQUEST without further fields: the most common error of the API. */
function badRequest(message: string): ErrorRow<Record<never, never>> {
  return row('BAD_REQUEST', 400, message);
}

/** The table of every error that a client can be given. */
export const errorTable = {
  badRequest: row<{ reason: string }>('BAD_REQUEST', 400, (fields) => fields.reason),
  missingParameter: row<{ var_name: string }>(
    'REQUEST_VARIABLE_MISSING',
    400,
    (fields) => `Missing '${fields.var_name}' argument`,
  ),
  confusingParameter: row<{ var_name1: string; var_name2: string }>(
    'REQUEST_CONFUSING_VAR',
    400,
    (fields) => `Can't decide between '${fields.var_name1}' and '${fields.var_name2}' arguments`,
  ),
  unsupportedParameterCombination: row<{ parameters: string }>(
    'BAD_REQUEST',
    400,
    (fields) => `Unsupported parameter combination: ${fields.parameters}`,
  ),
  unauthorized: row<{ reason: string }>('UNAUTHORIZED', 401, (fields) => fields.reason),
  authenticationFailed: row('AUTHENTICATION_FAILED', 401, 'Your username or password is incorrect'),
  userDeactivated: row('USER_DEACTIVATED', 401, 'Account is deactivated'),
  administratorRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization administrator'),
  ownerRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization owner'),
  insufficientPermission: badRequest('Insufficient permission'),
  rateLimitHit: row<{ 'retry-after': number }>('RATE_LIMIT_HIT', 429, 'API usage exceeded rate limit'),
  notFound: row('NOT_FOUND', 404, 'Not found'),
  requestTooLarge: row('BAD_REQUEST', 413, 'Request is too large'),
  badNarrow: row<{ desc: string }>('BAD_NARROW', 400, (fields) => `Invalid narrow operator: ${fields.desc}`),
  expectationMismatch: row<{ field_name: string }>(
    'EXPECTATION_MISMATCH',
    400,
    (fields) => `'${fields.field_name}' value does not match the expected value.`,
  ),
  internalError: row('INTERNAL_SERVER_ERROR', 500, 'Internal server error'),
  unavailable: row('SERVICE_UNAVAILABLE', 503, 'The server cannot take this request now; try again'),

  invalidMessage: badRequest('Invalid message(s)'),
} as const;

export type ErrorName = keyof typeof errorTable;

type FieldsOf<Name extends ErrorName> = (typeof errorTable)[Name] extends ErrorRow<infer Fields> ? Fields : never;

/** A refusal that the caller is told of, or a fault that is reported as one: a row of {@link errorTable}. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
  constructor(
    readonly row: ErrorName,
    readonly code: string,
    /** HTTP status. */
    readonly status: number,
    message: string,
    /** Sent beside the code, except `reason`, which is the message itself. */
    readonly fields: ErrorFields,
  ) {
    super(message);
  }
}

/** Makes the error of a row: `throw failure('invalidMessage')`, `throw failure('badNarrow', { desc: 'unknown operator' })`. */
export function failure<Name extends ErrorName>(
  name: Name,
  ...[fields]: keyof FieldsOf<Name> extends never ? [] : [FieldsOf<Name>]
): ApplicationError {
  const { code, status, message } = errorTable[name] as ErrorRow<ErrorFields>;
  const given: ErrorFields = fields ?? {};
  const { reason: _message, ...extra } = given;
  return new ApplicationError(name, code, status, message(given), extra);
}
