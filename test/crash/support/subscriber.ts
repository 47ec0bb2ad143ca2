import type { ApiClient } from '../../support/api-client.js';
import type { SeededRandom } from './seeded-random.js';
import type { World } from './world.js';

/** Joins several channels with one request, a new one among them, and leaves them with one. */
export class Subscriber {
  /** Null: the last request was not answered, so it is either. */
  private isMember: boolean | null = false;
  /** Channels that this one founded, and those that it may have founded. */
  private readonly founded: string[] = [];
  private possiblyFounded: string | null = null;

  constructor(
    readonly name: string,
    private readonly world: World,
    private readonly random: SeededRandom,
  ) {}

  act(client: ApiClient): Promise<void> {
    return this.isMember === true ? this.leave(client) : this.join(client);
  }

  /** Says what is not as it must be; what had to be left open is from now on as it was found. */
  async discrepancies(client: ApiClient): Promise<string[]> {
    const { streams } = await client.must('get', 'streams');
    const { subscriptions } = await client.must('get', 'users/me/subscriptions');
    const existing = new Set((streams as { name: string }[]).map(({ name }) => name));
    const joined = new Set((subscriptions as { name: string }[]).map(({ name }) => name));
    const lost = this.founded.filter((channel) => !existing.has(channel) || !joined.has(channel));
    const wanting = this.wanting(existing, joined);
    if (wanting !== null) return [wanting];
    this.learn(existing, joined);
    return lost.map((channel) => `${this.name} lost ${channel}`);
  }

  /** What keeps the last request from being done as a whole, or not at all. */
  private wanting(existing: ReadonlySet<string>, joined: ReadonlySet<string>): string | null {
    const { channels } = this.world;
    const isIn = channels.filter((channel) => joined.has(channel));
    const isMember = isIn.length > 0;
    const mayHaveFounded = this.possiblyFounded !== null && existing.has(this.possiblyFounded);
    if (isMember && isIn.length < channels.length) return `${this.name} is only in ${isIn.join(', ')}`;
    if (mayHaveFounded && !isMember) return `${this.name} founded ${this.possiblyFounded} and nothing else`;
    if (this.isMember === null || this.isMember === isMember) return null;
    return `${this.name} is ${isMember ? '' : 'not '}in the channels`;
  }

  private learn(existing: ReadonlySet<string>, joined: ReadonlySet<string>): void {
    this.isMember = this.world.channels.some((channel) => joined.has(channel));
    if (this.possiblyFounded !== null && existing.has(this.possiblyFounded)) {
      this.founded.push(this.possiblyFounded);
    }
    this.possiblyFounded = null;
  }

  private async join(client: ApiClient): Promise<void> {
    const founding = this.random.fraction() < 0.3 ? this.world.unique('channel') : null;
    this.isMember = null;
    this.possiblyFounded = founding;
    const names = [...this.world.channels, ...(founding === null ? [] : [founding])];
    await client.must('post', 'users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) });
    if (founding !== null) this.founded.push(founding);
    this.possiblyFounded = null;
    this.isMember = true;
    this.world.acknowledged();
  }

  private async leave(client: ApiClient): Promise<void> {
    this.isMember = null;
    await client.must('delete', 'users/me/subscriptions', { subscriptions: this.world.channels });
    this.isMember = false;
    this.world.acknowledged();
  }
}
