/** The most bytes of a request's body, files apart. */
export const MAX_BODY_BYTES = 1_048_576;

/** The longest name of a parameter in a multipart body, in bytes. */
export const MAX_NAME_BYTES = 200;

/** The most bytes of a request line with its headers. Long because some clients put a message's content in the query. */
export const MAX_HEADER_BYTES = 131_072;

/** The most characters of one parameter in a path. */
export const MAX_PATH_PARAMETER_LENGTH = 4_096;

/** The longest that a client may take to send a request, in milliseconds. */
export const REQUEST_TIMEOUT = 120_000;
