import { silentLogger } from '../../../projections/engine/logger.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { ReactorRunner } from '../../../projections/engine/reactor-runner.js';
import { Principals } from '../../../src/contexts/channels/principals.js';
import { Decisions } from '../../../src/http/decisions.js';
import { ChannelStreams } from '../../../src/contexts/channels/channel-streams.js';
import { CompleteSubscriptions } from '../../../src/contexts/channels/reactors/complete-subscriptions.js';
import { SendChannelNotices } from '../../../src/contexts/channels/reactors/send-channel-notices.js';
import { DirectConversations } from '../../../src/access/direct-conversations.js';
import { KnownPeople, type ConversationLookup } from '../../../src/access/known-people.js';
import { SubscribeNewPeople } from '../../../src/contexts/channels/reactors/new-people.js';
import { FoldedStreams } from '../../../src/stores/event-store/folded-streams.js';
import { ConsistentLog } from '../../../src/http/consistency.js';
import { NotificationBot } from '../../../src/contexts/messages/notification-bot.js';
import { provideOwnerKey } from '../../../src/node/owner-key.js';
import { InvitationsReader } from '../../../src/contexts/invitations/invitations-reader.js';
import { AdmitInvited } from '../../../src/contexts/invitations/reactors/admit-invited.js';
import { SystemClock } from '../../../src/runtime/system-clock.js';
import { startPeopleNode, type PeopleNode } from '../../support/people-node.js';
import type { TemporaryStores } from '../../support/temporary-stores.js';
import { Life, mortalStores } from './mortal-stores.js';
import { promptReactors } from './prompt-reactors.js';

/** When a key was used last is not waited for: a process that dies loses it. */
function lostWithTheProcess(): void {}

/** Address that credentials files name. */
export const site = 'http://127.0.0.1:9991';

/** Nobody is hidden from anybody. */
const conversations: ConversationLookup = { directConversations: async () => DirectConversations.none };

/** A process of the server as far as commands and reactors go: it starts, works, and dies when its life says so. */
export class NodeProcess {
  readonly clock = new SystemClock();
  private readonly ending = new AbortController();
  private readonly runners: readonly ReactorRunner[];
  private readonly reacting: Promise<unknown>;

  private constructor(
    /** As this process sees them. */
    readonly stores: TemporaryStores,
    readonly people: PeopleNode,
    readonly life: Life,
  ) {
    const { log, readStore } = stores;
    const { follower } = people;
    const { clock } = this;
    this.decisions = new Decisions(new FoldedStreams(log), follower, clock, new ConsistentLog(log, []));
    const bot = new NotificationBot(this.decisions, conversations);
    this.channels = new ChannelStreams(new FoldedStreams(log), log, this.decisions);
    this.principals = new Principals(people.emails, new KnownPeople(conversations));
    this.completion = new CompleteSubscriptions(this.channels, clock);
    this.invitations = new InvitationsReader(this.decisions, log);
    this.admission = new AdmitInvited(
      this.invitations,
      this.channels,
      this.decisions,
      bot,
      follower,
      stores.vault,
      clock,
    );
    const reactors: readonly Reactor[] = [
      this.completion,
      this.admission,
      new SendChannelNotices(follower, this.channels, bot),
      new SubscribeNewPeople(this.channels, follower, clock),
    ];
    // The same name for all, as on embedded stores, where there is only one process at a time.
    const options = { processName: 'the process', logger: silentLogger, timing: promptReactors };
    this.runners = reactors.map((reactor) => new ReactorRunner({ log, readStore }, reactor, options));
    this.reacting = Promise.all(this.runners.map((runner) => runner.run(this.ending.signal)));
  }

  readonly channels: ChannelStreams;
  readonly principals: Principals;
  readonly decisions: Decisions;
  readonly completion: CompleteSubscriptions;
  readonly invitations: InvitationsReader;
  readonly admission: AdmitInvited;

  /** Does what every start does. */
  static async start(stores: TemporaryStores, life = new Life()): Promise<NodeProcess> {
    const seen = await mortalStores(stores, life);
    const process = new NodeProcess(seen, await startPeopleNode(seen, lostWithTheProcess), life);
    try {
      await provideOwnerKey(process.ownerKey, site);
      return process;
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  /** What the owner's key is given out with. */
  get ownerKey(): Parameters<typeof provideOwnerKey>[0] {
    const { stores, clock } = this;
    return { configuration: { dataDirectory: stores.directory }, stores, clock };
  }

  /**
   * Resolves when the reactors have acted on all that the log holds, or the process is dead.
   *
   * @param others reactors that this process runs beside its own
   */
  async untilReactorsPassed(others: readonly ReactorRunner[] = []): Promise<void> {
    for (let head = -1; !this.life.isOver;) {
      const position = (await this.stores.eventStore.head()) ?? 0;
      if (position === head) return;
      head = position;
      await Promise.all([...this.runners, ...others].map((runner) => this.passed(runner, position)));
    }
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.reacting;
    await this.people.follower.stop();
  }

  private async passed(runner: ReactorRunner, position: number): Promise<void> {
    // Ends what hangs, and nothing that is only slow.
    for (let attempt = 0; attempt < 4_000 && !this.life.isOver; attempt += 1) {
      if (await runner.waitUntil(position, 50)) return;
    }
    if (!this.life.isOver) throw new Error('A reactor does not get on');
  }
}
