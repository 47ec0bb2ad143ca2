import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Principals } from '../../src/contexts/channels/principals.js';
import { Decisions } from '../../src/http/decisions.js';
import { ChannelStreams } from '../../src/contexts/channels/channel-streams.js';
import {
  SetSubscriptionProperties,
  SetSubscriptionPropertiesHandler,
  SubscribeUsers,
  SubscribeUsersHandler,
  UnsubscribeUsers,
  UnsubscribeUsersHandler,
} from '../../src/contexts/channels/commands/subscriptions.js';
import { CompleteSubscriptions } from '../../src/contexts/channels/reactors/complete-subscriptions.js';
import type { SubscribingOutcome } from '../../src/contexts/channels/subscribing.decide.js';
import { DirectoryFollower } from '../../src/access/directory-follower.js';
import type { Directory } from '../../src/access/directory.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { RecordedEvent, DomainEvent } from '../../src/kernel/event.js';
import type { AppendOutcome, CommandEvents } from '../../src/kernel/decision.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { DirectConversations } from '../../src/access/direct-conversations.js';
import { KnownPeople } from '../../src/access/known-people.js';
import { EmailLookup } from '../../src/access/email-lookup.js';
import { TestOrganization } from '../support/organization.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';
import { waitForNobody } from '../support/decisions-over.js';

/** A log whose process dies at an append, after a number of appends. */
class MortalLog extends EventLog {
  appendsLeft = Infinity;

  override async appendTogether<Event extends DomainEvent>(
    target: { readonly stream: string; readonly expected: number | 'no-stream' },
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[]> {
    if (this.appendsLeft === 0) throw new Error('The process was killed');
    this.appendsLeft -= 1;
    return super.appendTogether(target, commands);
  }
}

/** The parts of the channels context in one process of the server. */
class Process {
  readonly log: MortalLog;
  readonly follower: DirectoryFollower;
  readonly completion: CompleteSubscriptions;
  private readonly decisions: Decisions;
  private readonly principals: Principals;
  private readonly streams: ChannelStreams;

  constructor({ eventStore, codec, vault }: TemporaryStores) {
    const clock = new SystemClock();
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    this.log = new MortalLog(eventStore, codec);
    this.follower = new DirectoryFollower({ log: this.log, model: () => Promise.resolve(null), logger });
    const streams = new FoldedStreams(this.log);
    this.decisions = new Decisions(streams, this.follower, clock, waitForNobody);
    this.principals = new Principals(
      new EmailLookup(vault),
      new KnownPeople({ directConversations: () => Promise.resolve(DirectConversations.none) }),
    );
    this.streams = new ChannelStreams(streams, this.log, this.decisions);
    this.completion = new CompleteSubscriptions(this.streams, clock);
  }

  subscribe(names: readonly string[], principals: readonly number[]): Promise<SubscribingOutcome> {
    const channels = names.map((name) => ({ name, description: '', color: null }));
    const flags = { announce: false, notify: true, refusalIsFatal: true };
    const request = { channels, principals, settings: defaultChannelSettings, ...flags };
    const handler = new SubscribeUsersHandler(this.decisions, this.principals, this.streams, this.completion);
    return handler.execute(new SubscribeUsers(caller, request));
  }

  async unsubscribe(channelNames: readonly string[], principals: readonly number[]): Promise<void> {
    const handler = new UnsubscribeUsersHandler(
      this.decisions,
      this.principals,
      this.streams,
      this.completion,
    );
    await handler.execute(new UnsubscribeUsers(caller, { channelNames, principals }));
  }

  async mute(channelIds: readonly number[]): Promise<void> {
    const requests = channelIds.map((channelId) => ({ channelId, property: 'is_muted', value: true }));
    const handler = new SetSubscriptionPropertiesHandler(this.decisions, this.streams, this.completion);
    await handler.execute(new SetSubscriptionProperties(caller, requests));
  }

  /** The directory after the last event of the log. */
  async directory(): Promise<Directory> {
    const position = (await this.log.store.head()) ?? 0;
    await this.follower.waitUntil({ position, types: ['ChannelCreated'] }, 60_000);
    return this.follower.current();
  }
}

let stores: TemporaryStores;
const processes: Process[] = [];
const organization = new TestOrganization();
const member = organization.register();
const other = organization.register();
const caller = { userId: member, client: 'tests', requestId: 'test' };

async function start(): Promise<Process> {
  const process = new Process(stores);
  processes.push(process);
  await process.follower.start();
  return process;
}

/** Restarts: the reactor gets every event since its checkpoint, which is the beginning here, and gets them twice. */
async function restart(): Promise<Process> {
  const process = await start();
  for (const event of [...(await allEvents()), ...(await allEvents())])
    await process.completion.complete(event);
  return process;
}

async function allEvents(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of stores.eventStore.readAll({ after: null })) {
    events.push(...(await stores.log.decode(page.events)));
  }
  return events;
}

async function countOf(type: string): Promise<number> {
  return (await allEvents()).filter((event) => event.type === type).length;
}

beforeEach(async () => {
  stores = await openTemporaryStores();
  for (const { stream, metadata, type, data } of organization.log.events) {
    const [last] = await stores.log.readStream(stream, { direction: 'backwards', limit: 1 });
    const expected = last === undefined ? 'no-stream' : last.revision;
    const commandId = `${stream}-${last?.revision ?? 'first'}`;
    await stores.log.append({ stream, expected }, [{ type, data }], {
      ...metadata,
      commandId,
    });
  }
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map(({ follower }) => follower.stop()));
  await stores.dispose();
});

describe('several channels in one request', () => {
  const names = ['a', 'b', 'c'];

  it.each([1, 2])('are all joined after a crash behind append %i', async (appends) => {
    const doomed = await start();
    await doomed.subscribe(names, [member]);
    await doomed.directory();
    doomed.log.appendsLeft = appends;
    await expect(doomed.subscribe(names, [other])).rejects.toThrow('killed');

    const directory = await (await restart()).directory();
    for (const id of [1, 2, 3]) expect(directory.subscriberIds(id)).toEqual([member, other]);
    expect(await countOf('UsersSubscribed')).toBe(3);
  });

  it.each([1, 2])('are all left after a crash behind append %i', async (appends) => {
    const doomed = await start();
    await doomed.subscribe(names, [member, other]);
    await doomed.directory();
    doomed.log.appendsLeft = appends;
    await expect(doomed.unsubscribe(names, [member])).rejects.toThrow('killed');

    const directory = await (await restart()).directory();
    for (const id of [1, 2, 3]) expect(directory.subscriberIds(id)).toEqual([other]);
    expect(await countOf('UsersUnsubscribed')).toBe(3);
  });

  it.each([1, 2])('are all muted after a crash behind append %i', async (appends) => {
    const doomed = await start();
    await doomed.subscribe(names, [member]);
    await doomed.directory();
    doomed.log.appendsLeft = appends;
    await expect(doomed.mute([1, 2, 3])).rejects.toThrow('killed');

    const directory = await (await restart()).directory();
    expect([1, 2, 3].map((id) => directory.subscription(id, member)?.isMuted)).toEqual([true, true, true]);
    expect(await countOf('SubscriptionPropertyChanged')).toBe(3);
  });

  it('are joined whether they existed or not, after a crash behind the creation', async () => {
    const doomed = await start();
    await doomed.subscribe(['a', 'b'], [other]);
    await doomed.directory();
    doomed.log.appendsLeft = 1;
    await expect(doomed.subscribe(['a', 'b', 'new'], [member])).rejects.toThrow('killed');

    const directory = await (await restart()).directory();
    expect([1, 2, 3].map((id) => directory.subscriberIds(id))).toEqual([
      [member, other],
      [member, other],
      [member],
    ]);
  });

  it('are joined before the reply', async () => {
    const process = await start();
    await process.subscribe(names, [other]);
    await process.directory();
    await process.subscribe(names, [member]);
    expect(await countOf('UsersSubscribed')).toBe(3);
  });
});

describe('many requests at once, in two processes', () => {
  it('create a channel of one name once, and everybody who asked is subscribed', async () => {
    const [first, second] = [await start(), await start()];
    const requests = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? first : second).subscribe(
        [index % 3 === 0 ? 'ENGINES' : 'engines'],
        [index < 10 ? member : other],
      ),
    );
    await Promise.all(requests);
    expect(await countOf('ChannelCreated')).toBe(1);
    expect((await first.directory()).subscriberIds(1)).toEqual([member, other]);
    expect(await countOf('UsersSubscribed')).toBe(1);
  });

  it('give every new channel an id of its own', async () => {
    const [first, second] = [await start(), await start()];
    const names = Array.from({ length: 20 }, (_, index) => `channel ${index}`);
    await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? first : second).subscribe([name], [member])),
    );
    const ids = [...(await second.directory()).channels()].map(({ id }) => id);
    expect(ids.sort((a, b) => a - b)).toEqual(names.map((_, index) => index + 1));
  });

  it('complete what a request left, once', async () => {
    const [first, second] = [await start(), await start()];
    await first.subscribe(['a', 'b'], [other]);
    await first.directory();
    first.log.appendsLeft = 1;
    await expect(first.subscribe(['a', 'b'], [member])).rejects.toThrow('killed');
    first.log.appendsLeft = Infinity;
    const cause = (await allEvents()).at(-1)!;
    const everybody = [first, second, first, second];
    await Promise.all(everybody.map(({ completion }) => completion.complete(cause)));
    expect(await countOf('UsersSubscribed')).toBe(2);
  });
});
