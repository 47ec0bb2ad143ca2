import { save } from './save.js';

/** The account and its API key. */
export interface Credentials {
  readonly email: string;
  readonly key: string;
  /** Whether this sign-in had the key issued, so that signing out revokes it; absent: it was there before, and others may use it. */
  readonly isIssued?: true;
}

/** The parameters of a request. Values other than texts are sent as JSON; undefined ones are not sent. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly parameters?: Parameters;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the server counts as not answering; absent: the browser decides. */
  readonly timeout?: number;
}

/** The API's error code when the account has a second factor and no code was sent. */
export const CODE_MISSING = 'SECOND_FACTOR_REQUIRED';

type Refusal = Pick<ApiError, 'status' | 'code' | 'retryAfter'>;

/** A request was refused or not answered. The message is a sentence for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** HTTP status; 0: there was no reply. */
  readonly status: number;
  /** The API's error code; empty: there is none. */
  readonly code: string;
  /** Seconds after which to retry; null: unknown. */
  readonly retryAfter: number | null;

  constructor(message: string, { status = 0, code = '', retryAfter = null }: Partial<Refusal> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }

  /** Whether the key is not valid, or not any more. */
  get isAboutKey(): boolean {
    return this.status === 401 && !this.isAboutCode;
  }

  /** Whether a code of the account's second factor is needed, or another one. */
  get isAboutCode(): boolean {
    return this.code === CODE_MISSING || this.code === 'SECOND_FACTOR_WRONG';
  }
}

/** The envelope of the server's replies. */
type Envelope<Reply> =
  | ({ readonly result: 'success' } & Reply)
  | { readonly result: 'error'; readonly msg: string; readonly code?: string };

/**
 * Sends a request to the API.
 *
 * @throws ApiError
 */
export async function ask<Reply>(request: ApiRequest, credentials: Credentials | null): Promise<Reply> {
  const response = await send(request, credentials);
  const body = parsed<Envelope<Reply>>(await arrived(response.text(), request.signal));
  if (body?.result === 'success' && response.ok) return body;
  throw refusalOf(response, body);
}

/** Downloads a file of the API. @throws ApiError */
export async function download(path: string, name: string, credentials: Credentials): Promise<void> {
  const response = await send({ path }, credentials);
  if (!response.ok) throw refusalOf(response, parsed<Envelope<object>>(await arrived(response.text())));
  save(name, await arrived(response.blob()));
}

function refusalOf(response: Response, body: Envelope<object> | null): ApiError {
  const { status, headers } = response;
  const refusal = body?.result === 'error' ? body : null;
  const retryAfter = Number.parseFloat(headers.get('retry-after') ?? '');
  return new ApiError(refusal?.msg ?? `The server answered with ${status}.`, {
    status,
    code: refusal?.code ?? '',
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

async function send(request: ApiRequest, credentials: Credentials | null): Promise<Response> {
  const { method = 'GET', path, parameters = {}, signal, timeout } = request;
  const ends = [
    ...(signal ? [signal] : []),
    ...(timeout === undefined ? [] : [AbortSignal.timeout(timeout)]),
  ];
  const form = formOf(parameters);
  const query = method === 'GET' && form.size > 0 ? `?${form.toString()}` : '';
  const answer = fetch(`/api/v1/${path}${query}`, {
    method,
    ...(method === 'GET' ? {} : { body: form }),
    headers: credentials === null ? {} : { authorization: basic(credentials) },
    // Otherwise the browser would show its own password prompt when a key is refused.
    credentials: 'omit',
    signal: AbortSignal.any(ends),
  });
  return arrived(answer, signal);
}

/**
 * Waits for a response or its body, both of which fail with the connection.
 *
 * @param signal of the caller, who gets its own abortion as it is
 * @throws ApiError
 */
export async function arrived<Value>(pending: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  try {
    return await pending;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError('The server does not answer. It may be restarting.');
  }
}

/** Null: the text is not JSON, so something other than the API has answered. */
export function parsed<Body>(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return null;
  }
}

function formOf(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

function basic({ email, key }: Credentials): string {
  const bytes = new TextEncoder().encode(`${email}:${key}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
