import type { Reactor } from '../../projections/engine/reactor.js';
import { EraseMessages } from '../../src/erasure/erase-messages.js';
import { ErasePersonalRecords } from '../../src/erasure/erase-personal-records.js';
import { DeferredRecords } from '../../src/erasure/deferred-records.js';
import { ErasePeople } from '../../src/erasure/erase-person.js';
import { Eraser } from '../../src/erasure/eraser.js';
import { PersonTraces } from '../../src/erasure/person-traces.js';
import { MessageTraces } from '../../src/erasure/message-traces.js';
import { LegalHolds } from '../../src/audit/cases/legal-holds.js';
import { caseStream, type CaseScope } from '../../src/events/cases.js';
import { MESSAGES_STREAM, messageStream, type MessageDeleted } from '../../src/events/messages.js';
import type { DomainEvent, EventOf, RecordedEvent } from '../../src/kernel/event.js';
import { idAtRevision } from '../../src/kernel/ids.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { sampleMessage } from '../bench/support/sample-messages.js';
import { decisionsOver } from './decisions-over.js';
import { atTheTime, metadataOf } from './given.js';
import { standIn } from './stand-in.js';
import { openTemporaryStores, type TemporaryStores } from './temporary-stores.js';

const everything: CaseScope = { userIds: [], channelIds: [], since: null, until: null };

/** A log in a temporary directory, with the reactors that erase, which only act when a test hands them an event. */
export class ErasingLog {
  /** Ids of the keys that were destroyed. */
  readonly destroyed: string[] = [];
  /** The organization's policy. */
  policy = 'erase';
  readonly held: LegalHolds;
  readonly streams: FoldedStreams;
  readonly messages: EraseMessages;
  readonly records: ErasePersonalRecords;
  readonly people: ErasePeople;
  readonly deferred: DeferredRecords;

  private constructor(readonly stores: TemporaryStores) {
    const { log } = stores;
    const nothing = (): Promise<void> => Promise.resolve();
    const vault = {
      destroy: async (ids: readonly string[]) => void this.destroyed.push(...ids),
      areDestroyed: () => Promise.resolve(false),
    };
    const models = { pass: nothing, dropFormerVersions: nothing, scrub: nothing };
    const current = (): unknown => ({
      organization: { settings: { message_erasure_policy: this.policy } },
    });
    this.streams = new FoldedStreams(log);
    this.held = new LegalHolds(log);
    const parts = {
      log,
      vault,
      models,
      traces: new MessageTraces(log),
      streams: this.streams,
      decisions: decisionsOver(this.streams),
      follower: { current },
      clock: { now: () => atTheTime },
      files: { delete: nothing },
    };
    const copies = { erase: () => Promise.resolve([]) };
    const eraser = new Eraser(standIn({ ...parts, copies, cachedTexts: { forgetMessages: nothing } }));
    const legalHolds = this.held;
    const invitations = { all: () => Promise.resolve({ byId: new Map() }) };
    const people = new PersonTraces(standIn({ log, invitations }));
    this.deferred = new DeferredRecords({ log, streams: this.streams, legalHolds });
    const options = {
      ...parts,
      eraser,
      legalHolds,
      people,
      deferred: this.deferred,
      areRecordsDecided: () => Promise.resolve(true),
    };
    this.messages = new EraseMessages(standIn(options));
    this.people = new ErasePeople(standIn(options));
    this.records = new ErasePersonalRecords(standIn(options));
  }

  static async open(): Promise<ErasingLog> {
    return new ErasingLog(await openTemporaryStores());
  }

  async append(stream: string, event: DomainEvent): Promise<RecordedEvent> {
    const { log } = this.stores;
    const appended = await log.append({ stream, expected: 'any' }, [event], metadataOf(1));
    return { ...appended.events[0]!, revision: appended.revision, position: appended.position };
  }

  async send(senderId: number, channelId: number): Promise<RecordedEvent> {
    return this.append(MESSAGES_STREAM, sampleMessage(0, { senderId, channelId, topic: 'notes' }));
  }

  delete(message: RecordedEvent): Promise<RecordedEvent> {
    const messageId = idAtRevision(message.revision);
    const deleted: EventOf<typeof MessageDeleted> = {
      type: 'MessageDeleted',
      data: { messageId, senderId: null, recipient: null },
    };
    return this.append(messageStream(messageId), deleted);
  }

  /** Places a hold on a new case. */
  async hold(caseId: number, scope: Partial<CaseScope>): Promise<void> {
    const whole = { ...everything, ...scope };
    const created = await this.append(caseStream(caseId), {
      type: 'CaseCreated',
      data: { caseId, name: 'A case', description: '', scope: whole, words: null, operator: null },
    });
    await this.append(caseStream(caseId), {
      type: 'CaseHoldPlaced',
      data: { caseId, caseKey: created.id, scope: whole, words: null, operator: null },
    });
  }

  lift(caseId: number): Promise<RecordedEvent> {
    return this.append(caseStream(caseId), { type: 'CaseHoldLifted', data: { caseId, operator: null } });
  }

  /** Lets a reactor handle an event. */
  async react(reactor: Reactor, event: RecordedEvent): Promise<void> {
    await reactor.on[event.type]!(event);
  }

  /** The types of the events that record erasures. */
  async recorded(): Promise<readonly string[]> {
    const events = await this.stores.log.readStream('erasures', { from: 0, limit: 100 });
    return events.map(({ type }) => type);
  }
}
