import { Ajv, type ValidateFunction } from 'ajv';

/** A request and the reply to it. */
export interface ReceivedReply {
  /** In upper case. */
  readonly verb: string;
  /** From the first slash on. */
  readonly path: string;
  readonly status: number;
  /** The header `Content-Type`; null: there was none. */
  readonly type: string | null;
  readonly text: string;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/**
 * The minimum number of letters in the fixed part of an error text: with fewer, the text mostly comes from the caller, and could be
 * mistaken for another error's.
 */
const FEWEST_LETTERS = 10;

/** The OpenAPI document of a running server, to compare replies with. */
export class ApiDocument {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** Patterns of the errors with fixed texts, by status. */
  private readonly errorsWithWords = new Map<string, readonly RegExp[]>();

  private constructor(readonly document: OpenApi) {
    const lines = new Map<string, Set<string>>();
    for (const operation of this.operations) {
      for (const [status, response] of Object.entries(this.responses(operation))) {
        const known = lines.get(status) ?? new Set<string>();
        for (const line of this.linesOf(response)) if (hasOwnWords(line)) known.add(line);
        lines.set(status, known);
      }
    }
    for (const [status, known] of lines) this.errorsWithWords.set(status, [...known].map(patternOfError));
    this.ajv.addSchema(inNewerDialect(document), 'document');
  }

  /** @param site address of the server, without a path */
  static async of(site: string): Promise<ApiDocument> {
    return new ApiDocument((await (await fetch(`${site}/api/docs-json`)).json()) as OpenApi);
  }

  /** Every operation, as `POST /api/v1/messages`. */
  get operations(): readonly string[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
  }

  /** The responses of an operation, by status. */
  responses(operation: string): Readonly<Record<string, Response>> {
    const [verb = '', path = ''] = operation.split(' ');
    return this.document.paths[path]?.[verb.toLowerCase()]?.responses ?? {};
  }

  /** The operation that a request was for; undefined where none is documented. The most exact path counts. */
  operationOf(verb: string, sent: string): string | undefined {
    const [path = ''] = sent.split('?');
    const fitting = this.operations.filter((operation) => {
      const [its, pattern = ''] = operation.split(' ');
      return its === verb && patternOf(pattern).test(path);
    });
    return fitting.sort((one, other) => one.split('{').length - other.split('{').length)[0];
  }

  /** The differences between a success and its description in the document; empty: there are none, or the operation is not documented. */
  faultsOfReply({ verb, path, status, type, text }: ReceivedReply): readonly string[] {
    const operation = this.operationOf(verb, path);
    if (operation === undefined || status >= 400) return [];
    const response = this.responses(operation)[String(status)];
    if (response === undefined) return [`${operation} does not say that it answers ${status}`];
    if (type?.startsWith('application/json') !== true) return fileFaults(operation, response, type);
    if (response.content?.['application/json'] === undefined) return [`${operation} has no schema`];
    const pointer = ['paths', operation.split(' ')[1] ?? '', verb.toLowerCase(), 'responses', String(status)];
    const schema = [...pointer, 'content', 'application/json', 'schema'];
    return this.faults(schema, JSON.parse(text)).map((fault) => `${operation}: ${fault}`);
  }

  /** A sentence if the document does not list an error for the operation; empty: it does, or the operation is not documented. */
  faultsOfError({ verb, path, status, type, text }: ReceivedReply): readonly string[] {
    const operation = this.operationOf(verb, path);
    if (operation === undefined || status < 400 || type?.startsWith('application/json') !== true) return [];
    // A reply to HEAD has no body.
    if (text === '') return [];
    const { code = '', msg } = JSON.parse(text) as { readonly code?: string; readonly msg: string };
    const told = `${code} ${msg}`.trim();
    // Texts about invalid parameters are free, so their pattern must not excuse an error with a fixed text.
    const hasWords = this.errorsWithWords.get(String(status))?.some((pattern) => pattern.test(told)) === true;
    const listed = this.linesOf(this.responses(operation)[String(status)])
      .filter((line) => !hasWords || hasOwnWords(line))
      .some((line) => patternOfError(line).test(told));
    return listed ? [] : [`${operation} does not list ${status} ${told}`];
  }

  private linesOf(response: Response | undefined): readonly string[] {
    const shared = response?.$ref?.split('/').at(-1) ?? '';
    const { description = '' } = this.document.components.responses[shared] ?? response ?? {};
    return description.split('\n').filter((line) => line.startsWith('- '));
  }

  /** The differences between a client event and its description in the document. */
  faultsOfEvent(event: Readonly<Record<string, unknown>>): readonly string[] {
    const { type, op } = event;
    const name = eventName(String(type), typeof op === 'string' ? op : '');
    if (this.document.components.schemas[name] === undefined) return [`There is no schema ${name}`];
    return this.faults(['components', 'schemas', name], event).map((fault) => `${name}: ${fault}`);
  }

  private faults(pointer: readonly string[], value: unknown): readonly string[] {
    const escaped = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const reference = `document#/${escaped.map(encodeURIComponent).join('/')}`;
    let validate = this.compiled.get(reference);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: reference });
      this.compiled.set(reference, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** The name of an event's schema in the document. */
export function eventName(type: string, op: string): string {
  const words = `${type}_${op}`.split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Event`;
}

/** The last parameter of such a path may contain slashes. */
function patternOf(path: string): RegExp {
  const rest = /\{fragment\}$/;
  const source = path.replace(rest, '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

function fileFaults(operation: string, { content = {} }: Response, type: string | null): readonly string[] {
  if (type === null) return [];
  const types = Object.keys(content);
  const [sent = ''] = type.split(';');
  return types.includes(sent) || types.includes('*/*')
    ? []
    : [`${operation} does not say that it answers ${sent}`];
}

/** OpenAPI 3.0 marks an exclusive bound by a boolean; the validator used here expects the bound itself. */
function inNewerDialect(document: OpenApi): object {
  return JSON.parse(JSON.stringify(document), (_name, value: unknown) => {
    const schema = value as { minimum?: number; exclusiveMinimum?: unknown };
    if (schema?.exclusiveMinimum !== true) return value;
    const { minimum, ...others } = schema;
    return { ...others, exclusiveMinimum: minimum };
  }) as object;
}

/** The pattern of an error in the document: its code, and its text with `{name}` for variable parts. */
function patternOfError(line: string): RegExp {
  const text = line.replace(/^- /, '').replaceAll('`', '');
  const parts = text
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]|{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

function hasOwnWords(line: string): boolean {
  const words = line.replace(/`\w+`/, '').replaceAll(/\{[^}]*\}/g, '');
  return words.replaceAll(/[^A-Za-z]/g, '').length >= FEWEST_LETTERS;
}
