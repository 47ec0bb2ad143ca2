import type { KeptValues } from './kept-values.js';
import type { Parameters, RequestStep } from './steps.js';

/** A reply with its complete body. */
export interface Answer {
  readonly response: Response;
  readonly body: Buffer;
}

/** Sends the requests of the session, each with the credentials of its actor. */
export class SessionClient {
  constructor(
    /** Address of the server, without the API's path. */
    readonly site: string,
    private readonly kept: KeptValues,
  ) {}

  /**
   * Sends the request of a step once.
   *
   * @param seconds how far the server's clock is advanced before the request
   */
  async send(step: RequestStep, seconds: number): Promise<Answer> {
    const { verb, options } = step;
    const body = this.bodyOf(step);
    const query = verb === 'GET' ? this.formOf(step.parameters).toString() : '';
    const response = await fetch(`${this.site}${this.pathOf(step)}${query && `?${query}`}`, {
      method: verb,
      redirect: 'manual',
      headers: {
        'user-agent': 'GoldenClient/1.0',
        'x-golden-seconds': String(seconds),
        ...this.authorization(step),
        ...(options.body && { 'content-type': options.body.type }),
        ...(this.kept.fill(options.headers ?? {}) as Record<string, string>),
      },
      ...(body !== undefined && { body }),
    });
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Sends a request without credentials and parameters. */
  async sendNothing(verb: string, path: string): Promise<Answer> {
    const response = await fetch(`${this.site}${path}`, { method: verb, redirect: 'manual' });
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Sets the server's clock to a number of seconds after its start. */
  async moveClock(seconds: number): Promise<void> {
    await fetch(`${this.site}/health/live`, { headers: { 'x-golden-clock': String(seconds) } });
  }

  /** The path and query of a step's request. */
  pathOf({ path }: RequestStep): string {
    const filled = String(this.kept.fill(path)).replace(this.site, '');
    return filled.startsWith('/') ? filled : `/api/v1/${filled}`;
  }

  private bodyOf({
    verb,
    parameters,
    options,
  }: RequestStep): string | FormData | URLSearchParams | undefined {
    if (options.body !== undefined) return String(this.kept.fill(options.body.text));
    if (verb === 'GET' || verb === 'HEAD') return undefined;
    const form = this.formOf(parameters);
    if (options.file === undefined) return form;
    const multipart = new FormData();
    for (const [name, value] of form) multipart.append(name, value);
    const { name, type, bytes } = options.file;
    multipart.append('filename', new File([new Uint8Array(bytes)], name, { type }));
    return multipart;
  }

  private formOf(parameters: Parameters): URLSearchParams {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      const filled = this.kept.fill(value);
      form.append(name, typeof filled === 'string' ? filled : JSON.stringify(filled));
    }
    return form;
  }

  private authorization({ actor }: RequestStep): Record<string, string> {
    if (actor === 'nobody') return {};
    const pair = `${String(this.kept.get(`${actor}Email`))}:${String(this.kept.get(`${actor}Key`))}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }
}
