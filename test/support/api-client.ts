import { eventually } from './eventually.js';

/** The common members of all replies, and any others. */
export interface Reply {
  readonly result: 'success' | 'error';
  readonly msg: string;
  readonly code?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into replies of every shape
  readonly [field: string]: any;
}

/** A reply with its HTTP status and headers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Reply;
}

/** What a node says of its read models to those who operate it. */
interface Readiness {
  readonly models?: readonly { readonly state: string | null; readonly lag_seconds: number }[];
}

type Parameters = Readonly<Record<string, unknown>>;

/** In milliseconds: much longer than the lease of a process that died, and than a busy machine lags. */
const TIMEOUT = 120_000;

/** So long the reply to a write waits for the read models, in milliseconds; on a machine that is too busy it goes without. */
const REPLY_WAIT = 2_000;

/** For how long read models are waited for that the reply to a write went without, in milliseconds: some tests hold them up. */
const MODELS_TIMEOUT = 20_000;

/** The states of read models that do not advance until somebody acts. */
const STUCK = new Set(['halted', 'frozen', 'paused']);

/**
 * Calls the API like a client program: form-encoded, with JSON inside of form values. Requests that a node refuses because it lags behind
 * the log are sent again, and a write that was answered without the read models counts as answered when they have caught up.
 */
export class ApiClient {
  /** For how long a refused request is sent again, in milliseconds. */
  protected readonly timeout: number = TIMEOUT;

  constructor(
    /** Address of the server, without the path of the API. */
    readonly site: string,
    readonly credentials: { readonly email: string; readonly key: string } | null,
    private readonly userAgent = 'PalimpsestTests/1.0',
  ) {}

  /** The same client of another server. */
  at(site: string): ApiClient {
    return new ApiClient(site, this.credentials, this.userAgent);
  }

  get(path: string, parameters: Parameters = {}): Promise<Answer> {
    const query = formOf(parameters).toString();
    return this.request('GET', query === '' ? path : `${path}?${query}`);
  }

  post(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('POST', path, parameters);
  }

  patch(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('PATCH', path, parameters);
  }

  put(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('PUT', path, parameters);
  }

  delete(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('DELETE', path, parameters);
  }

  /** Sends a file as browsers and client libraries do. */
  upload(path: string, file: File): Promise<Answer> {
    const form = new FormData();
    form.append('filename', file);
    return this.submit(path, form);
  }

  /** Sends a multipart form with files. */
  submit(path: string, body: FormData): Promise<Answer> {
    return this.send('POST', path, { body });
  }

  /** Sends a raw body. */
  sendBody(path: string, body: string, contentType: string): Promise<Answer> {
    return this.send('POST', path, { body, headers: { 'content-type': contentType } });
  }

  /** Fetches an address outside of the API with the same credentials. */
  fetch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.submitRequest(path, { headers });
  }

  /** Sends a request as given, with the same credentials. */
  submitRequest(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.headers)) headers.set(name, value);
    return fetch(`${this.site}${path}`, { ...init, headers });
  }

  /** Like the method of that name, but throws for every reply that is not a success. */
  async must(
    method: 'get' | 'post' | 'patch' | 'put' | 'delete',
    path: string,
    parameters: Parameters = {},
  ): Promise<Reply> {
    const { status, body } = await this[method](path, parameters);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Creates a channel, subscribes the caller (or the `principals`), and returns its id. */
  async createChannel(name: string, parameters: Parameters = {}): Promise<number> {
    await this.must('post', 'users/me/subscriptions', { subscriptions: [{ name }], ...parameters });
    return this.channelId(name);
  }

  /** Sends a message to a channel, given by name or id, and returns the message's id. */
  async sendToChannel(to: string | number, topic: string, content: string): Promise<number> {
    return (await this.must('post', 'messages', { type: 'channel', to, topic, content }))['id'] as number;
  }

  /** The id of a channel, by its name. */
  async channelId(stream: string): Promise<number> {
    return (await this.must('get', 'get_stream_id', { stream }))['stream_id'] as number;
  }

  private request(method: string, path: string, parameters?: Parameters): Promise<Answer> {
    return this.send(method, path, parameters && { body: formOf(parameters) });
  }

  private async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const begun = performance.now();
    const answer = await eventually(
      () => this.sendOnce(method, path, init),
      ({ status }) => status !== 503 || performance.now() > begun + this.timeout,
      Infinity,
    );
    if (method !== 'GET' && this.timeout > 0 && performance.now() - begun >= REPLY_WAIT)
      await this.waitForModels();
    return answer;
  }

  /** Waits until the read models have caught up, as far as the node tells. */
  private async waitForModels(): Promise<void> {
    const deadline = performance.now() + MODELS_TIMEOUT;
    await eventually(
      () => this.isBehind(),
      (isBehind) => !isBehind || performance.now() > deadline,
      Infinity,
    );
  }

  private async isBehind(): Promise<boolean> {
    try {
      const response = await fetch(`${this.site}/health/ready`);
      const { models = [] } = (await response.json()) as Readiness;
      return models.some(({ state, lag_seconds }) => lag_seconds > 0 && !STUCK.has(state ?? ''));
    } catch {
      // The server was ended meanwhile.
      return false;
    }
  }

  private async sendOnce(method: string, path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...this.headers, ...init.headers };
    const response = await fetch(`${this.site}/api/v1/${path}`, { ...init, method, headers });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Reply };
  }

  private get headers(): Record<string, string> {
    return {
      'user-agent': this.userAgent,
      ...(this.credentials && { authorization: basic(this.credentials) }),
    };
  }
}

/** A client that does not repeat refused requests. */
export class ImpatientClient extends ApiClient {
  protected override readonly timeout = 0;

  /** A copy of a client that does not repeat refused requests. */
  static of({ site, credentials }: ApiClient): ImpatientClient {
    return new ImpatientClient(site, credentials);
  }
}

function basic({ email, key }: { readonly email: string; readonly key: string }): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

function formOf(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
