import { save } from '../components/save.js';

/** Who asks. */
export interface Credentials {
  readonly email: string;
  readonly key: string;
}

/** What a request sends; what is no text is sent as JSON, and what is undefined not at all. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly parameters?: Parameters;
  readonly signal?: AbortSignal | undefined;
}

/** The API's word for it: the account has a second factor, and no code of it was sent. */
export const CODE_MISSING = 'SECOND_FACTOR_REQUIRED';

type Refusal = Pick<ApiError, 'status' | 'code' | 'retryAfter'>;

/** A request was refused or not answered. The message is a sentence for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** HTTP's; 0: there was no answer. */
  readonly status: number;
  /** The API's word for it; empty: it said none. */
  readonly code: string;
  /** In how many seconds to try again; null: it does not say. */
  readonly retryAfter: number | null;

  constructor(message: string, { status = 0, code = '', retryAfter = null }: Partial<Refusal> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }

  /** Whether it is the key that is not, or no longer, good. */
  get isAboutKey(): boolean {
    return this.status === 401 && !this.isAboutCode;
  }

  /** Whether a code of the account's second factor is to be sent, or another one. */
  get isAboutCode(): boolean {
    return this.code === CODE_MISSING || this.code === 'SECOND_FACTOR_WRONG';
  }
}

/** How the server wraps what it answers. */
type Envelope<Reply> =
  | ({ readonly result: 'success' } & Reply)
  | { readonly result: 'error'; readonly msg: string; readonly code?: string };

/**
 * Asks the API.
 *
 * @throws ApiError
 */
export async function ask<Reply>(request: ApiRequest, credentials: Credentials | null): Promise<Reply> {
  const response = await send(request, credentials);
  const body = await bodyOf<Reply>(response);
  if (body?.result === 'success' && response.ok) return body;
  const retryAfter = Number.parseFloat(response.headers.get('retry-after') ?? '');
  const refusal = body?.result === 'error' ? body : null;
  throw new ApiError(refusal?.msg ?? `The server answered with ${response.status}.`, {
    status: response.status,
    code: refusal?.code ?? '',
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

/** Saves a file of the API. @throws ApiError */
export async function download(path: string, name: string, credentials: Credentials): Promise<void> {
  const response = await send({ path }, credentials);
  if (!response.ok)
    throw new ApiError(`The server answered with ${response.status}.`, { status: response.status });
  save(name, await response.blob());
}

async function send(request: ApiRequest, credentials: Credentials | null): Promise<Response> {
  const { method = 'GET', path, parameters = {}, signal } = request;
  const form = formOf(parameters);
  const query = method === 'GET' && form.size > 0 ? `?${form.toString()}` : '';
  try {
    return await fetch(`/api/v1/${path}${query}`, {
      method,
      ...(method === 'GET' ? {} : { body: form }),
      headers: credentials === null ? {} : { authorization: basic(credentials) },
      // Else the browser would ask for a password itself when a key is refused.
      credentials: 'omit',
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError('The server does not answer. It may be restarting.');
  }
}

/** Null: what came is not of the API. */
async function bodyOf<Reply>(response: Response): Promise<Envelope<Reply> | null> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Envelope<Reply>;
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
