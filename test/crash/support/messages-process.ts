import { silentLogger } from '../../../projections/engine/logger.js';
import { ModelPositions } from '../../../projections/engine/model-positions.js';
import { OperatorSettings } from '../../../projections/engine/operator-settings.js';
import { Projector } from '../../../projections/engine/projector.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { ReactorRunner } from '../../../projections/engine/reactor-runner.js';
import { projections } from '../../../projections/registry.js';
import { Decisions } from '../../../src/http/decisions.js';
import { AttentionReader } from '../../../src/contexts/attention/attention-reader.js';
import { EventLog } from '../../../src/stores/event-store/event-log.js';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { FoldedStreams } from '../../../src/stores/event-store/folded-streams.js';
import { ConsistentLog } from '../../../src/http/consistency.js';
import { EditMessageHandler } from '../../../src/contexts/messages/commands/edit-message.js';
import { BotFailures } from '../../../src/contexts/messages/bot-failures.js';
import { SendMessageHandler } from '../../../src/contexts/messages/commands/send-message.js';
import { ExpiredMessages } from '../../../src/contexts/messages/jobs.js';
import { LocalEchoes } from '../../../src/contexts/messages/sending/local-echoes.js';
import { MessageDecisions } from '../../../src/contexts/messages/message-decisions.js';
import { MessageComposer } from '../../../src/contexts/messages/sending/message-composer.js';
import { MessageMoves } from '../../../src/contexts/messages/moves/message-moves.js';
import { MessageReader } from '../../../src/contexts/messages/message-reader.js';
import { MovedTopicPolicies } from '../../../src/contexts/messages/moves/moved-topic-policies.js';
import { NotificationBot } from '../../../src/contexts/messages/notification-bot.js';
import { ConcludeMoves, FinishMoves } from '../../../src/contexts/messages/reactors/moves.js';
import { FollowTopics } from '../../../src/contexts/messages/reactors/follow-topics.js';
import { AutomaticTopicPolicies } from '../../../src/contexts/messages/sending/automatic-topic-policies.js';
import { UploadAccess } from '../../../src/contexts/uploads/upload-access.js';
import { PublicAddress } from '../../../src/http/public-address.js';
import { ServingModels } from '../../../src/stores/read-store/serving-models.js';
import type { SystemClock } from '../../../src/runtime/system-clock.js';
import { UploadReader } from '../../../src/contexts/uploads/upload-reader.js';
import { eventually } from '../../support/eventually.js';
import type { TemporaryStores } from '../../support/temporary-stores.js';
import { NodeProcess, site } from './node-process.js';
import { promptReactors } from './prompt-reactors.js';

/** Models that commands on messages look into. */
const needed = new Set(['messages', 'flags', 'attention', 'uploads']);

/** What decides about messages. */
interface Deciding {
  readonly decisions: Decisions;
  readonly moves: MessageMoves;
  readonly access: UploadAccess;
  readonly editing: EditMessageHandler;
}

/**
 * A process of the server as far as commands on messages go, with the reactors that follow them. Its read models are those of
 * another process, which lives on.
 */
export class MessagesProcess {
  private readonly ending = new AbortController();
  private readonly background: Promise<unknown>[] = [];
  private readonly reactorsEnding = new AbortController();
  private reactors: readonly Promise<unknown>[] = [];
  private readonly runners: readonly ReactorRunner[];
  private readonly positions = new ModelPositions(projections, () => Promise.resolve(null));
  private readonly models: ServingModels;
  readonly messages: MessageReader;
  readonly decisions: Decisions;
  readonly sending: SendMessageHandler;
  readonly editing: EditMessageHandler;
  readonly expired: ExpiredMessages;

  private constructor(
    readonly node: NodeProcess,
    private readonly living: TemporaryStores,
    readonly clock: SystemClock,
  ) {
    const { follower, emails } = node.people;
    const { log: events, readStore } = node.stores;
    this.models = new ServingModels(living.readStore);
    const reader = new AttentionReader(this.models);
    this.messages = new MessageReader(this.models, follower, emails, clock, reader);
    const { decisions, moves, access, editing } = this.deciding(events);
    this.decisions = decisions;
    this.editing = editing;
    const topicPolicies = new AutomaticTopicPolicies(follower, this.messages, reader, this.decisions);
    const composer = new MessageComposer(follower, this.messages, emails, clock, topicPolicies, access);
    const bot = new NotificationBot(decisions, this.messages);
    this.sending = new SendMessageHandler(
      decisions,
      composer,
      topicPolicies,
      new LocalEchoes(),
      node.stores.vault,
      new BotFailures(follower, bot),
    );
    this.expired = new ExpiredMessages(follower, this.messages, decisions, clock);
    const movedPolicies = new MovedTopicPolicies(reader, this.decisions, this.messages);
    const reactors: readonly Reactor[] = [
      new FinishMoves(moves),
      new ConcludeMoves(
        this.positions,
        follower,
        this.messages,
        reader,
        movedPolicies,
        bot,
        decisions,
        clock,
      ),
      new FollowTopics(topicPolicies),
    ];
    const options = { processName: 'the process', logger: silentLogger, timing: promptReactors };
    this.runners = reactors.map((reactor) => new ReactorRunner({ log: events, readStore }, reactor, options));
  }

  /** Edits as a process does that has read nothing yet, on a store that may count what is asked of it. */
  editingOn(eventStore: EventStore): EditMessageHandler {
    return this.deciding(new EventLog(eventStore, this.node.stores.codec)).editing;
  }

  private deciding(events: EventLog): Deciding {
    const { positions, messages, clock } = this;
    const { follower } = this.node.people;
    const log = new ConsistentLog(events, [
      { waitUntil: (write) => positions.waitUntil(write) },
      { waitUntil: (write) => follower.waitUntil(write, write.milliseconds) },
    ]);
    const streams = new FoldedStreams(events);
    const decisions = new Decisions(streams, follower, clock, log);
    const access = new UploadAccess(messages, new UploadReader(this.models), new PublicAddress(site));
    const placing = new MessageDecisions(messages, events, decisions);
    const moves = new MessageMoves(messages, placing, decisions, streams, clock);
    const editing = new EditMessageHandler(messages, placing, moves, access);
    return { decisions, moves, access, editing };
  }

  static async start(stores: TemporaryStores, clock: SystemClock): Promise<MessagesProcess> {
    const process = new MessagesProcess(await NodeProcess.start(stores), stores, clock);
    await process.project();
    const { signal } = process.reactorsEnding;
    process.reactors = process.runners.map((runner) => runner.run(signal));
    return process;
  }

  get life(): NodeProcess['life'] {
    return this.node.life;
  }

  /** Resolves when reactors have acted on, and models hold, all that the log holds, or the process is dead. */
  async untilReactorsPassed(): Promise<void> {
    await this.node.untilReactorsPassed(this.runners);
    const types = projections.flatMap(({ name, on }) => (needed.has(name) ? Object.keys(on) : []));
    let position: number | null = null;
    for await (const { events } of this.living.eventStore.readAll({ after: null, types })) {
      position = events.at(-1)?.position ?? position;
    }
    if (position === null) return;
    const part = { position, types, milliseconds: 50 };
    for (let attempt = 0; attempt < 4_000 && !this.life.isOver; attempt += 1) {
      if (await this.positions.waitUntil(part)) return;
    }
  }

  /** Ends the reactors alone, which finish what a command has begun. */
  async stopReactors(): Promise<void> {
    this.reactorsEnding.abort();
    await Promise.all(this.reactors);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.stopReactors();
    await Promise.all(this.background);
    await this.node.stop();
  }

  private async project(): Promise<void> {
    const { living, positions, models } = this;
    const settings = new OperatorSettings(living.readStore);
    for (const projection of projections.filter(({ name }) => needed.has(name))) {
      const projector = new Projector(living, projection, {
        processName: 'another process',
        logger: silentLogger,
        listener: (progress) => positions.report(progress),
        settings,
        onCutOver: (name) => models.forget(name),
      });
      this.background.push(projector.run(this.ending.signal));
      await eventually(
        () => living.readStore.servingVersion(projection.name),
        (version) => version !== null,
      );
    }
  }
}
