import { ImpatientClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { TestServer } from '../../support/server.js';
import type { SeededRandom } from './seeded-random.js';

/** A write until it is acknowledged: it is sent again as it was, as clients do that were not answered. */
type Write =
  | { readonly kind: 'send'; readonly text: string }
  | { readonly kind: 'edit'; readonly id: number; readonly text: string };

/** Longer than any fault lasts, on a busy machine, in milliseconds. */
const TIMEOUT = 600_000;

/** Sends and edits messages, each until it is acknowledged, whatever happens to the server and its stores meanwhile. */
export class PersistentWriter {
  /** What each message must say, by its id. */
  readonly messages = new Map<number, { readonly sent: string; readonly now: string }>();
  /** How often a write was not taken: it was refused for now, or the connection broke. */
  failures = 0;
  /** What it is about, and what became of its last attempt: for whoever wonders why it does not go on. */
  private doing = 'nothing yet';
  private writes = 0;
  private isDone = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly credentials: { readonly email: string; readonly key: string },
    private readonly random: SeededRandom,
  ) {}

  /** How many of its writes were acknowledged. */
  get acknowledged(): number {
    return this.writes;
  }

  /** Its name, how many of its writes were acknowledged, and what it is about. */
  get progress(): string {
    return `${this.name}: ${this.writes} writes; ${this.doing}`;
  }

  /** Writes from now on, through the server that runs then. */
  start(server: () => TestServer): void {
    this.writing = this.write(server);
    // `stop` rejects with it; until then `progress` shows it.
    this.writing.catch((error: unknown) => (this.doing = `gave up: ${String(error)}`));
  }

  /** Begins no more; resolves once what was begun is acknowledged. @throws whatever a write was refused with for good */
  async stop(): Promise<void> {
    this.isDone = true;
    await this.writing;
  }

  private async write(server: () => TestServer): Promise<void> {
    for (let count = 0; !this.isDone; count += 1) {
      const write = this.nextWrite(count);
      await eventually(() => this.attempt(server(), write), Boolean, TIMEOUT);
      this.writes += 1;
    }
  }

  private nextWrite(count: number): Write {
    const text = `${this.name} ${count}.`;
    const known = [...this.messages.keys()].slice(-5);
    if (known.length === 0 || this.random.fraction() < 0.8) return { kind: 'send', text };
    return { kind: 'edit', id: this.random.pick(known), text };
  }

  /** @returns whether it was acknowledged */
  private async attempt({ site }: TestServer, write: Write): Promise<boolean> {
    const client = new ImpatientClient(site, this.credentials);
    this.doing = `${write.kind} "${write.text}" through ${site}`;
    try {
      const { status, body } = await (write.kind === 'send'
        ? client.post('messages', {
            type: 'channel',
            to: 'engines',
            topic: this.name,
            content: write.text,
            queue_id: this.name,
            local_id: write.text,
          })
        : client.patch(`messages/${write.id}`, { content: write.text }));
      if (status === 200) {
        this.remember(write, body['id'] as number);
        return true;
      }
      // Through another process than before a message may be unknown for a while.
      const isUnknown = write.kind === 'edit' && status === 400;
      this.doing += `: answered ${status} ${body.msg}`;
      if (status < 500 && !isUnknown) throw new Error(`${write.kind} was refused with ${status} ${body.msg}`);
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      if (cause === undefined) throw error;
      this.doing += `: ${cause instanceof Error ? cause.message : JSON.stringify(cause)}`;
    }
    this.failures += 1;
    return false;
  }

  private remember(write: Write, sentId: number): void {
    const id = write.kind === 'send' ? sentId : write.id;
    const sent = write.kind === 'send' ? write.text : this.messages.get(id)!.sent;
    this.messages.set(id, { sent, now: write.text });
  }
}
