import type { Answer, ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SeededRandom } from './seeded-random.js';
import type { World } from './world.js';

/** What a message may be by now, going by what its author was told. */
interface Message {
  readonly id: number;
  /** Its text is one of these. */
  texts: readonly string[];
  deletion: 'none' | 'possible' | 'certain';
}

/** A request that was sent and not answered yet. */
interface Sending {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Sends, edits and deletes messages, and remembers what each may be by now. */
export class MessageAuthor {
  private readonly messages: Message[] = [];
  private unanswered: Sending[] = [];
  /** Texts whose sending was not answered and never tried again: they stand in the log once or not at all. */
  readonly abandoned: string[] = [];

  constructor(
    readonly name: string,
    private readonly world: World,
    private readonly random: SeededRandom,
  ) {}

  /** Ids and first texts of the messages whose sending was acknowledged. */
  readonly acknowledged: { readonly id: number; readonly text: string }[] = [];

  async act(client: ApiClient): Promise<void> {
    const choice = this.random.fraction();
    const message = this.changeable();
    if (choice < 0.08) return this.sendInVain(client);
    if (choice < 0.14) return this.editInVain(client);
    if (choice < 0.4 && message !== null) return this.edit(client, message);
    if (choice < 0.5 && message !== null) return this.delete(client, message);
    return this.send(client, this.newSending());
  }

  /** Sends half of what was not answered again, under the same name. */
  async retry(client: ApiClient): Promise<void> {
    const unanswered = this.unanswered;
    this.unanswered = [];
    for (const sending of unanswered) {
      if (this.random.fraction() < 0.5) this.abandoned.push(sending.text);
      else await this.send(client, sending);
    }
  }

  /** Says what is not as it must be; what had to be left open is from now on as it was found. */
  async discrepancies(client: ApiClient): Promise<string[]> {
    const found = new Map<number, string>();
    for (let start = 0; start < this.messages.length; start += 500) {
      const message_ids = this.messages.slice(start, start + 500).map(({ id }) => id);
      const { messages } = await client.must('get', 'messages', { message_ids, apply_markdown: false });
      for (const { id, content } of messages as { id: number; content: string }[]) found.set(id, content);
    }
    return this.messages.flatMap((message) => this.compare(message, found.get(message.id)) ?? []);
  }

  private compare(message: Message, text: string | undefined): string | null {
    const { id, texts, deletion } = message;
    if (text === undefined) {
      if (deletion === 'none') return `${this.name}: message ${id} is gone`;
      message.deletion = 'certain';
      return null;
    }
    if (deletion === 'certain') return `${this.name}: message ${id} is there though it was deleted`;
    if (!texts.includes(text)) return `${this.name}: message ${id} reads ${text}, not ${texts.join(' or ')}`;
    message.texts = [text];
    message.deletion = 'none';
    return null;
  }

  private changeable(): Message | null {
    const candidates = this.messages.filter(({ deletion }) => deletion === 'none').slice(-5);
    return candidates.length === 0 ? null : this.random.pick(candidates);
  }

  private newSending(): Sending {
    const text = this.world.unique('sent');
    const name = { queue_id: `queue of ${this.name}`, local_id: text };
    const to =
      this.random.fraction() < 0.8
        ? {
            type: 'stream',
            to: this.random.pick(this.world.channels),
            topic: `topic ${this.random.between(1, 3)}`,
          }
        : { type: 'direct', to: [3] };
    return { text, parameters: { ...to, ...name, content: text } };
  }

  private async send(client: ApiClient, sending: Sending): Promise<void> {
    this.unanswered.push(sending);
    const { id } = await client.must('post', 'messages', sending.parameters);
    this.unanswered = this.unanswered.filter((one) => one !== sending);
    this.messages.push({ id: id as number, texts: [sending.text], deletion: 'none' });
    this.acknowledged.push({ id: id as number, text: sending.text });
    this.world.sent.push({ id: id as number, author: this.name });
    this.world.acknowledged();
  }

  private async edit(client: ApiClient, message: Message): Promise<void> {
    const content = this.world.unique('edited');
    message.texts = [...message.texts, content];
    await untilTaken(() => client.patch(`messages/${message.id}`, { content }));
    message.texts = [content];
    this.world.acknowledged();
  }

  private async delete(client: ApiClient, message: Message): Promise<void> {
    message.deletion = 'possible';
    await untilTaken(() => client.delete(`messages/${message.id}`));
    message.deletion = 'certain';
    this.world.acknowledged();
  }

  private async sendInVain(client: ApiClient): Promise<void> {
    const content = this.world.refusable();
    const { status } = await client.post('messages', {
      type: 'stream',
      to: 'nowhere',
      topic: 'any',
      content,
    });
    if (status !== 400) throw new Error(`Sending to a channel that does not exist answered ${status}`);
  }

  private async editInVain(client: ApiClient): Promise<void> {
    const others = this.world.sent.filter(({ author }) => author !== this.name);
    if (others.length === 0) return;
    const { id } = this.random.pick(others);
    const { status } = await client.patch(`messages/${id}`, { content: this.world.refusable() });
    if (status !== 400) throw new Error(`Editing somebody else's message answered ${status}`);
  }
}

/** Where the models lag, a message that was acknowledged is unknown for a while. */
function untilTaken(change: () => Promise<Answer>): Promise<Answer> {
  return eventually(change, ({ status }) => status === 200);
}
