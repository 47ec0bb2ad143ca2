import { ApiClient } from '../../support/api-client.js';
import type { TestServer } from '../../support/server.js';
import { untilConnectionLost } from './connection-lost.js';
import { MessageAuthor } from './message-author.js';
import { Registrar } from './registrar.js';
import type { SeededRandom } from './seeded-random.js';
import { Subscriber } from './subscriber.js';
import { World } from './world.js';

interface Credentials {
  readonly email: string;
  readonly key: string;
}

/** Somebody who writes, and knows what must have become of it. */
interface Writer {
  act(client: ApiClient): Promise<void>;
  discrepancies(client: ApiClient): Promise<string[]>;
}

const AUTHORS = 13;
const SUBSCRIBERS = 5;
const REGISTRARS = 2;
const DEFAULT_CHANNEL = 'hall';

/** Twenty clients that write at once. */
export class Crew {
  readonly authors: readonly MessageAuthor[];
  private readonly subscribers: readonly Subscriber[];
  private readonly registrars: readonly Registrar[];
  private readonly keys = new Map<Writer, Credentials>();
  private acknowledgements = 0;
  private onAcknowledged: (count: number) => void = () => {};

  private constructor(random: SeededRandom) {
    const world = new World(() => this.onAcknowledged((this.acknowledgements += 1)));
    const named = <Member>(count: number, make: (index: number) => Member): Member[] =>
      Array.from({ length: count }, (_, index) => make(index));
    this.world = world;
    this.authors = named(AUTHORS, (index) => new MessageAuthor(`author ${index}`, world, random.fork()));
    this.subscribers = named(
      SUBSCRIBERS,
      (index) => new Subscriber(`subscriber ${index}`, world, random.fork()),
    );
    this.registrars = named(REGISTRARS, () => new Registrar(world, DEFAULT_CHANNEL));
  }

  readonly world: World;

  /** Makes the channels and the accounts that the crew works with. */
  static async hire(server: TestServer, random: SeededRandom): Promise<Crew> {
    const crew = new Crew(random);
    const owner = await server.owner();
    for (const name of crew.world.channels) {
      await owner.must('post', 'channels/create', { name, subscribers: [] });
    }
    await owner.must('post', 'channels/create', {
      name: DEFAULT_CHANNEL,
      subscribers: [],
      is_default_channel: true,
    });
    for (const registrar of crew.registrars) crew.keys.set(registrar, owner.credentials!);
    const bots = await Promise.all(
      [...crew.authors, ...crew.subscribers].map(async (writer, index) => ({
        writer,
        bot: await owner.must('post', 'bots', { full_name: writer.name, short_name: `bot${index}` }),
      })),
    );
    const { members } = await owner.must('get', 'users');
    const emails = new Map(
      (members as { user_id: number; email: string }[]).map((one) => [one.user_id, one.email]),
    );
    for (const { writer, bot } of bots) {
      crew.keys.set(writer, { email: emails.get(bot['user_id'] as number)!, key: bot['api_key'] as string });
    }
    return crew;
  }

  /** Writes until the server is killed, which happens when so many writes were acknowledged. */
  async writeUntilKilled(server: TestServer, acknowledgements: number): Promise<void> {
    const enough = this.acknowledgements + acknowledgements;
    let killed: Promise<void> | undefined;
    this.onAcknowledged = (count) => {
      if (count >= enough) killed ??= server.kill();
    };
    const writers = [...this.authors, ...this.subscribers, ...this.registrars];
    await Promise.all(
      writers.map((writer) => untilConnectionLost(() => writer.act(this.clientOf(writer, server)))),
    );
    await killed;
  }

  /** Says what is not there though it was acknowledged, or is there otherwise than it was. */
  async discrepancies(server: TestServer): Promise<string[]> {
    const writers = [...this.authors, ...this.subscribers, ...this.registrars];
    const found = await Promise.all(
      writers.map((writer) => writer.discrepancies(this.clientOf(writer, server))),
    );
    return found.flat();
  }

  /** Sends what was not answered again, under the names that it had. */
  async retry(server: TestServer): Promise<void> {
    await Promise.all(
      [...this.authors, ...this.registrars].map((writer) => writer.retry(this.clientOf(writer, server))),
    );
  }

  /** Says who was registered lately and cannot log in. */
  async lockedOut(server: TestServer): Promise<string[]> {
    return (await Promise.all(this.registrars.map((registrar) => registrar.lockedOut(server.site)))).flat();
  }

  private clientOf(writer: Writer, server: TestServer): ApiClient {
    return new ApiClient(server.site, this.keys.get(writer)!);
  }
}
