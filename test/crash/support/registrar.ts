import { ApiClient } from '../../support/api-client.js';
import type { World } from './world.js';

interface Person {
  readonly email: string;
  readonly password: string;
  readonly full_name: string;
}

/** Registers people, and tries to register some again. */
export class Registrar {
  private readonly people: Person[] = [];
  private unanswered: Person[] = [];
  private uncheckedLogIns: Person[] = [];

  constructor(
    private readonly world: World,
    /** Name of the channel that everybody who is registered joins. */
    private readonly defaultChannel: string,
  ) {}

  async act(client: ApiClient): Promise<void> {
    if (this.people.length % 3 === 2) await this.registerInVain(client);
    const full_name = this.world.unique('person');
    await this.register(client, {
      email: `${full_name}@example.com`,
      password: `secret of ${full_name}`,
      full_name,
    });
  }

  /** Sends what was not answered again: the account is made now, or was made as a whole. */
  async retry(client: ApiClient): Promise<void> {
    for (const person of this.unanswered.splice(0)) {
      const { status, body } = await client.post('users', { ...person });
      if (status !== 200 && body.msg !== 'Email is already in use') {
        throw new Error(`Registering again answered ${status}: ${body.msg}`);
      }
      this.keep(person);
    }
  }

  /** Says what is not as it must be. */
  async discrepancies(client: ApiClient): Promise<string[]> {
    const { members } = await client.must('get', 'users');
    const ids = new Map(
      (members as { user_id: number; full_name: string }[]).map((one) => [one.full_name, one.user_id]),
    );
    const channelId = await client.channelId(this.defaultChannel);
    const { subscribers } = await client.must('get', `streams/${channelId}/members`);
    return this.people.flatMap(({ full_name: name }) => {
      const id = ids.get(name);
      if (id === undefined) return [`${name} is gone`];
      return (subscribers as number[]).includes(id) ? [] : [`${name} is not in ${this.defaultChannel}`];
    });
  }

  /** Says who of those who were registered since the last time cannot log in. */
  async lockedOut(site: string): Promise<string[]> {
    const answers = await Promise.all(
      this.uncheckedLogIns.splice(0).map(async ({ email: username, password }) => {
        const { status } = await new ApiClient(site, null).post('fetch_api_key', { username, password });
        return status === 200 ? [] : [`${username} cannot log in: ${status}`];
      }),
    );
    return answers.flat();
  }

  private async register(client: ApiClient, person: Person): Promise<void> {
    this.unanswered.push(person);
    await client.must('post', 'users', { ...person });
    this.unanswered = this.unanswered.filter((one) => one !== person);
    this.keep(person);
    this.world.acknowledged();
  }

  private keep(person: Person): void {
    this.people.push(person);
    this.uncheckedLogIns.push(person);
  }

  private async registerInVain(client: ApiClient): Promise<void> {
    const [taken] = this.people;
    const { status } = await client.post('users', { ...taken, full_name: this.world.refusable() });
    if (status !== 400) throw new Error(`Registering a taken address answered ${status}`);
  }
}
