import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The part of the S3 protocol that the file store uses, on a map in memory, to test with the real client. */
export class S3StandIn {
  readonly objects = new Map<string, Buffer>();
  /** Accepts requests, and sends nothing. */
  isSilent = false;
  /** Asks clients to come back later. */
  isOverloaded = false;
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  private constructor(
    readonly bucket: string,
    /** Requests with any other key are refused. */
    public accessKeyId: string,
  ) {}

  static async start(bucket: string, accessKeyId: string): Promise<S3StandIn> {
    const standIn = new S3StandIn(bucket, accessKeyId);
    await new Promise<void>((resolve) => standIn.server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isSilent) return;
    if (this.isOverloaded) return refuse(response, 503, 'SlowDown');
    const url = new URL(request.url ?? '', this.endpoint);
    const path = url.pathname;
    const signed = `AWS4-HMAC-SHA256 Credential=${this.accessKeyId}/`;
    if (request.headers.authorization?.startsWith(signed) !== true)
      return refuse(response, 403, 'AccessDenied');
    if (url.searchParams.get('list-type') === '2' && path.replace(/\/$/, '') === `/${this.bucket}`)
      return this.list(url.searchParams, response);
    if (!path.startsWith(`/${this.bucket}/`)) return refuse(response, 404, 'NoSuchBucket');
    const key = path.slice(this.bucket.length + 2);
    switch (request.method) {
      case 'PUT':
        if (request.headers['content-length'] === undefined) {
          return refuse(response, 411, 'MissingContentLength');
        }
        this.objects.set(key, await buffer(request));
        response.setHeader('etag', '"stand-in"').end();
        return;
      case 'GET':
        this.send(key, request.headers.range, response);
        return;
      case 'DELETE':
        this.objects.delete(key);
        response.writeHead(204).end();
        return;
      default:
        refuse(response, 405, 'MethodNotAllowed');
    }
  }

  /** Returns two names per page, so that clients must request further pages. */
  private list(asked: URLSearchParams, response: ServerResponse): void {
    const prefix = asked.get('prefix') ?? '';
    const after = asked.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const page = keys.slice(0, 2);
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('');
    const isTruncated = keys.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`,
    );
  }

  private send(key: string, range: string | undefined, response: ServerResponse): void {
    const object = this.objects.get(key);
    if (object === undefined) return refuse(response, 404, 'NoSuchKey');
    const [, from = '0', through = String(object.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    response.writeHead(range === undefined ? 200 : 206, { 'content-type': 'application/octet-stream' });
    response.end(object.subarray(Number(from), Number(through) + 1));
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
}
