import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** The content encodings of a file. */
type Encoding = 'br' | 'gzip' | 'identity';

/** A file of the console, as it is sent. */
interface ConsoleFile {
  readonly contentType: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Whether the file's name contains a digest of its content, so that the content behind the name never changes. */
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

/** The folder in which the build puts files that have a digest in their names. */
const HASHED = 'assets/';

/** The files of the built console. Only files that exist when the server starts are served. */
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

  /** @param accepted the encodings in the request's `Accept-Encoding` */
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
    // After a failed read, the next request tries again.
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
