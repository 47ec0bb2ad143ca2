/** Maximum size of a request's body in bytes, without files. */
export const MAX_BODY_BYTES = 1_048_576;

/** Maximum length of a parameter name in a multipart body, in bytes. */
export const MAX_NAME_BYTES = 200;

/**
 * Maximum size of a request line with its headers, in bytes. Large because some clients put a message's
 * content in the query.
 */
export const MAX_HEADER_BYTES = 131_072;

/** Maximum length of one parameter in a path, decoded, in UTF-16 units. */
export const MAX_PATH_PARAMETER_LENGTH = 4_096;

/** Maximum time that a client may take to send a request, in milliseconds. */
export const REQUEST_TIMEOUT = 120_000;
