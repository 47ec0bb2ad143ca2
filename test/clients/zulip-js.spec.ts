import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';

/** What of zulip-js is used here: it has no types of its own. */
interface ZulipClient {
  readonly messages: { send(message: object): Promise<{ readonly result: string; readonly id: number }> };
  readonly streams: {
    readonly subscriptions: { retrieve(): Promise<{ subscriptions: { name: string }[] }> };
  };
  readonly users: {
    readonly me: {
      getProfile(): Promise<{ readonly email: string; readonly user_id: number }>;
      readonly subscriptions: { add(parameters: object): Promise<{ readonly result: string }> };
    };
  };
  readonly queues: {
    register(parameters: object): Promise<{ readonly queue_id: string; readonly last_event_id: number }>;
    deregister(parameters: object): Promise<{ readonly result: string }>;
  };
  readonly events: { retrieve(parameters: object): Promise<{ readonly events: readonly ClientEvent[] }> };
  readonly reactions: { add(parameters: object): Promise<{ readonly result: string }> };
}

interface ClientEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number; readonly content: string; readonly display_recipient: string };
}

const zulip = createRequire(import.meta.url)('zulip-js') as (config: object) => Promise<ZulipClient>;

let server: TestServer;
let reader: ZulipClient;
let writer: ZulipClient;

beforeAll(async () => {
  server = await TestServer.start();
  const owner = await server.owner();
  const { client } = await server.createUser(owner, 'Ada');
  reader = await zulip({
    username: client.credentials!.email,
    apiKey: client.credentials!.key,
    realm: server.site,
  });
  writer = await zulip({ zuliprc: `${server.directory}/owner.zuliprc` });
});

afterAll(async () => {
  await server.stop();
});

describe('zulip-js', () => {
  it('logs in with a password', async () => {
    const client = await zulip({
      username: 'ada@example.com',
      password: 'secret-of-Ada',
      realm: server.site,
    });
    expect((await client.users.me.getProfile()).email).toBe('ada@example.com');
  });

  it('registers, hears what another client says, and answers it', async () => {
    const subscriptions = JSON.stringify([{ name: 'js' }]);
    for (const client of [reader, writer]) {
      expect((await client.users.me.subscriptions.add({ subscriptions })).result).toBe('success');
    }
    const names = (await reader.streams.subscriptions.retrieve()).subscriptions.map(({ name }) => name);
    expect(names).toEqual(['js']);
    const { queue_id, last_event_id } = await reader.queues.register({ event_types: ['message'] });
    const heard = reader.events.retrieve({ queue_id, last_event_id });
    const { id } = await writer.messages.send({
      to: 'js',
      type: 'stream',
      topic: 'greetings',
      content: 'hello',
    });
    const [event] = (await heard).events;
    expect(event).toMatchObject({
      type: 'message',
      message: { id, content: 'hello', display_recipient: 'js' },
    });
    expect((await reader.reactions.add({ message_id: id, emoji_name: 'wave' })).result).toBe('success');
    expect((await reader.queues.deregister({ queue_id })).result).toBe('success');
  });
});
