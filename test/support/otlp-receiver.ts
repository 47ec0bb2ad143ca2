import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface KeyValue {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: string | number;
    readonly arrayValue?: { readonly values: readonly { readonly stringValue: string }[] };
  };
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A span as received, with attributes by name. */
export interface ReceivedSpan extends Omit<SentSpan, 'attributes' | 'links'> {
  readonly attributes: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly service: string;
}

/** A local collector of OTLP as JSON over HTTP, which accepts everything unless told otherwise. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All received bodies. */
  readonly texts: string[] = [];
  /** Headers of the last export. */
  headers: IncomingHttpHeaders = {};
  /** Replies that are held back; null: replies are sent at once. */
  private held: (() => void)[] | null = null;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const answer = (): void => {
          const isExport = request.method === 'POST' && request.url === '/v1/traces';
          if (isExport) receiver.take(Buffer.concat(chunks).toString(), request.headers);
          response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
        };
        if (receiver.held === null) answer();
        else receiver.held.push(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new OtlpReceiver(server, (server.address() as AddressInfo).port);
    return receiver;
  }

  /** From now on, accepts connections without replying. */
  hold(): void {
    this.held ??= [];
  }

  /** Sends the replies that were held back, and replies at once from now on. */
  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const answer of held) answer();
  }

  /** The spans of a trace, in order of their start. */
  trace(traceId: string): readonly ReceivedSpan[] {
    return this.spans
      .filter((span) => span.traceId === traceId)
      .sort((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private take(text: string, headers: IncomingHttpHeaders): void {
    this.texts.push(text);
    this.headers = headers;
    const { resourceSpans } = JSON.parse(text) as TraceExport;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { links = [], attributes } = span;
        this.spans.push({ ...span, links, attributes: valuesOf(attributes), service });
      }
    }
  }
}

function valuesOf(attributes: readonly KeyValue[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, arrayValue } }) => [
      key,
      arrayValue?.values.map((value) => value.stringValue) ?? stringValue ?? Number(intValue),
    ]),
  );
}
