import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** How a file may be sent. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A file of the console, as it is sent. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Its name has a digest of what it holds: the same name never holds anything else. */
  readonly isImmutable: boolean;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const;

/** Where the build puts what has a digest in its name. */
const HASHED = 'assets/';

/** The built console: what lies in its folder when the server starts, and nothing else. */
export class ConsoleFiles {
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, Promise<Buffer>>();

  constructor(private readonly directory: string) {
    this.names = new Set(namesIn(directory));
  }

  /** Whether the console was built. */
  get isBuilt(): boolean {
    return this.names.has('index.html');
  }

  has(name: string): boolean {
    return this.names.has(name) && contentTypes[extname(name)] !== undefined;
  }

  /** @param accepted what the request's `Accept-Encoding` names */
  async file(name: string, accepted: string): Promise<ConsoleFile> {
    const encoding = this.encodingOf(name, accepted);
    return {
      contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
      encoding,
      bytes: await this.bytesOf(name + suffixes[encoding]),
      isImmutable: name.startsWith(HASHED),
    };
  }

  private encodingOf(name: string, accepted: string): Encoding {
    const wanted = accepted.split(',').map((one) => one.trim());
    const isAccepted = (encoding: Encoding): boolean =>
      wanted.some((one) => one.startsWith(encoding) && !/;\s*q=0(\.0*)?$/.test(one));
    for (const encoding of ['br', 'gzip'] as const) {
      if (isAccepted(encoding) && this.names.has(name + suffixes[encoding])) return encoding;
    }
    return 'identity';
  }

  private bytesOf(name: string): Promise<Buffer> {
    const known = this.read.get(name);
    if (known !== undefined) return known;
    const reading = readFile(join(this.directory, name));
    this.read.set(name, reading);
    // A file that could not be read is tried again.
    reading.catch(() => this.read.delete(name));
    return reading;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll(sep, '/'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
