import { badRequest, badRequestAbout, badRequestOf, row } from './error-row.js';

/** Errors of requests in general: their form, their credentials, the load of the server. */
export const requestErrors = {
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
  invalidJson: row('INVALID_JSON', 400, 'Malformed JSON'),
  /** Only where ignoring the parameter would mislead the caller. */
  unknownParameter: badRequestAbout((reason) => `Unknown argument '${reason}'`),
  unsupportedParameterCombination: row<{ parameters: string }>(
    'BAD_REQUEST',
    400,
    (fields) => `Unsupported parameter combination: ${fields.parameters}`,
  ),
  invalidApiKey: row('UNAUTHORIZED', 401, 'Invalid API key'),
  malformedApiKey: row('UNAUTHORIZED', 401, 'Malformed API key'),
  invalidAuthorizationHeader: row('UNAUTHORIZED', 401, 'Invalid authorization header for basic auth'),
  basicAuthenticationRequired: row('UNAUTHORIZED', 401, 'This endpoint requires HTTP basic authentication.'),
  notLoggedIn: row('UNAUTHORIZED', 401, 'Not logged in: API authentication or user session required'),
  /** The caller's account. For an account that logs in, see {@link userDeactivated}. */
  accountDeactivated: row('UNAUTHORIZED', 401, 'Account is deactivated'),
  webhookBotsNotAllowed: row('UNAUTHORIZED', 401, 'This API is not available to incoming webhook bots.'),
  authenticationFailed: row('AUTHENTICATION_FAILED', 401, 'Your username or password is incorrect'),
  /** For requests with valid credentials. Log-ins are refused with `organizationDeactivated`. */
  organizationClosed: row('UNAUTHORIZED', 401, 'This organization has been deactivated'),
  organizationDeactivated: row('REALM_DEACTIVATED', 401, 'This organization has been deactivated'),
  userDeactivated: row('USER_DEACTIVATED', 401, 'Account is deactivated'),
  webTokensNotConfigured: badRequest(
    'Logging in with JSON Web Tokens is not configured on this server (JWT_AUTH_KEY).',
  ),
  invalidWebToken: badRequestAbout((reason) => `Invalid JSON Web Token: ${reason}`),
  webTokenMissing: badRequest('There is no JSON Web Token in the request'),
  webTokenTooLong: badRequest('Invalid JSON Web Token: the token is too long'),
  webTokenWithoutEmail: badRequest('Invalid JSON Web Token: no e-mail address in its claims'),
  administratorRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization administrator'),
  ownerRequired: row('UNAUTHORIZED_PRINCIPAL', 400, 'Must be an organization owner'),
  insufficientPermission: badRequest('Insufficient permission'),
  rateLimitHit: row<{ 'retry-after': number }>('RATE_LIMIT_HIT', 429, 'API usage exceeded rate limit'),
  /** Somebody is already verifying the log or making proofs. */
  proofRunning: row(
    'BAD_REQUEST',
    409,
    'The log is being verified, or a proof is being made: wait until that is done, or cancel it',
  ),
  noProof: row('NOT_FOUND', 404, 'There is no proof to download: it has yet to be made'),
  proofBundleTooLong: badRequestAbout((max) => `A proof bundle has at most ${max} characters here`),
  invalidProofBundle: badRequestAbout((name) => `'${name}' is not a proof bundle`),
  notFound: row('NOT_FOUND', 404, 'Not found'),
  /** A query about the past needs data that is not in the log. */
  notInLog: badRequestAbout((reason) => `The log does not keep ${reason}.`),
  taskResultsNotInLog: badRequest('The log does not keep what was looked at in the past.'),
  /** The only error without a code. `allowed_methods` is also sent as the `Allow` header. */
  methodNotAllowed: row<{ allowed_methods: readonly string[] }>('', 405, 'Method Not Allowed'),
  requestTooLarge: row('BAD_REQUEST', 413, 'Request is too large'),
  metricsForbidden: row('BAD_REQUEST', 403, 'Metrics are for this machine, or for whoever has METRICS_TOKEN'),
  badNarrow: row<{ desc: string }>('BAD_NARROW', 400, (fields) => `Invalid narrow operator: ${fields.desc}`),
  expectationMismatch: row<{ field_name: string }>(
    'EXPECTATION_MISMATCH',
    400,
    (fields) => `'${fields.field_name}' value does not match the expected value.`,
  ),
  badEventQueueId: row<{ queue_id: string }>(
    'BAD_EVENT_QUEUE_ID',
    400,
    // Existing clients compare this text literally to find out that they must register again.
    (fields) => `Bad event queue id: ${fields.queue_id}`,
  ),
  internalError: row('INTERNAL_SERVER_ERROR', 500, 'Internal server error'),
  queryTimeout: row(
    'SERVICE_UNAVAILABLE',
    503,
    'This took too long and was ended; ask for less, or try again later',
  ),
  unavailable: row('SERVICE_UNAVAILABLE', 503, 'The server cannot take this request now; try again'),
  /** The reason says what is wrong with the value of a parameter. */
  invalidParameter: badRequestAbout((reason) => reason),
  parameterNull: badRequestAbout((name) => `${name} may not be null`),
  textBlank: badRequestAbout((name) => `${name} cannot be blank`),
  textTooLong: badRequestOf<{ name: string; limit: number }>(
    ({ name, limit }) => `${name} is too long (limit: ${limit} characters)`,
  ),
  textNotOnOneLine: badRequestAbout((name) => `${name} holds characters that do not belong on one line`),
  malformedRequest: badRequest('Malformed request'),
  malformedMultipart: badRequest('Malformed multipart body'),
  unexpectedFile: badRequest('Unexpected file'),
  nothingToChange: badRequest('Nothing to change'),
  auditIndexBehind: row(
    'SERVICE_UNAVAILABLE',
    503,
    'The index of the log is being built, and has yet to come near the end of the log; try again later',
  ),
  contradictoryLogOrder: badRequest('before goes with newest_first, and after without it'),
  topicWithoutChannel: badRequest('A topic is one of a channel: say channel_id as well'),
  noSuchRole: badRequestAbout((role) => `There is no role ${role}`),
  noSuchEvent: row('BAD_REQUEST', 404, 'No such event'),
  invalidMoment: badRequestAbout((name) => `${name} is neither a position nor a time`),
  beforeLog: badRequest('There was nothing yet: the log begins later'),
  noConversation: badRequest('Name a conversation: either channel_id, with or without topic, or user_ids'),
  queryNotAuthorized: badRequest('User not authorized for this query'),
  eventsPruned: badRequestAbout((id) => `An event newer than ${id} has already been pruned!`),
  eventNotInQueue: badRequestAbout((id) => `Event ${id} was not in this queue`),
  queueOperatorNotSupported: badRequestAbout((operator) => `Operator ${operator} not supported.`),
  queueOperandNotSupported: badRequestAbout(
    (operand) => `Operand ${operand} of the operator is not supported.`,
  ),
  /** The payload of an incoming webhook is invalid. */
  invalidPayload: badRequestOf<{ path: string; fault: string }>(
    ({ path, fault }) => `Invalid payload: ${path} ${fault}`,
  ),
} as const;
