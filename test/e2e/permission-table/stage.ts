import type { Answer, ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { TestServer } from '../../support/server.js';
import { actors, type Actor } from './actors.js';

/** The organization in which everybody tries what they may; it is empty until it is set. */
export class Stage {
  readonly clients = {} as Record<Actor, ApiClient>;
  readonly ids = {} as Record<Actor, number>;
  /** A public channel with more subscribers than everyone may mention. */
  open = 0;
  /** A private one with the same subscribers. */
  closed = 0;
  /** Somebody who does nothing, for others to subscribe, to add and to name. */
  bystander = 0;
  private server!: TestServer;
  private count = 0;

  async set(): Promise<void> {
    this.server = await TestServer.start();
    await this.admitActors();
    const crowd = await Promise.all(
      Array.from({ length: 12 }, (_, n) => this.newBot(this.clients.owner, `crowd ${n}`)),
    );
    this.bystander = crowd[0]!;
    const subscribers = actors.filter((actor) => actor !== 'outsider').map((actor) => this.ids[actor]);
    const principals = [...subscribers, ...crowd];
    this.open = await this.newChannel({}, principals);
    this.closed = await this.newChannel({ invite_only: true }, principals);
    await this.clients.owner.must('delete', `users/${this.ids.deactivated}`);
  }

  async clear(): Promise<void> {
    await this.server.stop();
  }

  get site(): string {
    return this.server.site;
  }

  nextNumber(): number {
    return (this.count += 1);
  }

  newName(): string {
    return `thing ${this.nextNumber()}`;
  }

  async newBot(maker: ApiClient, name: string): Promise<number> {
    return (await this.server.createBot(maker, name)).id;
  }

  newChannel(settings: object, principals: readonly number[] = []): Promise<number> {
    return this.clients.owner.createChannel(this.newName(), { principals, ...settings });
  }

  /** A channel of its own, with everyone who could be subscribed to the others. */
  anotherChannel(settings: object = {}): Promise<number> {
    const subscribed = actors.filter((actor) => actor !== 'outsider' && actor !== 'deactivated');
    return this.newChannel(
      settings,
      subscribed.map((actor) => this.ids[actor]),
    );
  }

  /** A message in a topic of its own. */
  async said(to: number, by = this.clients.owner): Promise<number> {
    const message = { type: 'channel', to, topic: this.newName(), content: 'hello' };
    const id = (await by.must('post', 'messages', message))['id'] as number;
    // On a busy machine the reply does not wait as long as the read model takes.
    await eventually(
      () => this.clients.owner.get(`messages/${id}`),
      ({ status }) => status === 200,
    );
    return id;
  }

  say(client: ApiClient, to: number, content = 'hello'): Promise<Answer> {
    return client.post('messages', { type: 'channel', to, topic: this.newName(), content });
  }

  /** A group of the member’s, with nobody in it unless it says otherwise. */
  async newGroup(permissions: object = {}, members: readonly number[] = []): Promise<number> {
    const request = { name: this.newName(), description: '', members, ...permissions };
    return (await this.clients.member.must('post', 'user_groups/create', request))['group_id'] as number;
  }

  /** These and nobody else, as the value of a permission. */
  only(...members: readonly Actor[]): object {
    return { direct_members: members.map((actor) => this.ids[actor]), direct_subgroups: [] };
  }

  /** Sets a permission of the organization. */
  async give(permission: string, value: unknown): Promise<void> {
    await this.clients.owner.must('patch', 'realm', { [permission]: { new: value } });
  }

  private async admitActors(): Promise<void> {
    const { server, clients, ids } = this;
    clients.owner = await server.owner();
    ids.owner = (await clients.owner.must('get', 'users/me'))['user_id'] as number;
    for (const [actor, role] of Object.entries(roles)) {
      const { client, id } = await server.createUser(clients.owner, actor);
      [clients[actor as Actor], ids[actor as Actor]] = [client, id];
      if (role !== member) await clients.owner.must('patch', `users/${id}`, { role });
    }
    ({ client: clients.bot, id: ids.bot } = await server.createBot(clients.member, 'relay'));
  }
}

const member = 400;

/** The roles of those whom the owner admits. */
const roles = {
  administrator: 200,
  moderator: 300,
  member,
  guest: 600,
  outsider: member,
  deactivated: member,
} as const satisfies Partial<Record<Actor, number>>;
