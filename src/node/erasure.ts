import { Injectable } from '@nestjs/common';
import { REACTOR_WAIT } from '../../projections/engine/reactor.js';
import { Decisions } from '../http/decisions.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { InvitationsReader } from '../contexts/invitations/invitations-reader.js';
import { MailTransport } from '../contexts/mail/mail-transport.js';
import { MessageReader } from '../contexts/messages/message-reader.js';
import { PersonalReader } from '../contexts/personal/personal-reader.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import { ServerNode } from './server-node.js';
import { LegalHolds } from '../audit/cases/legal-holds.js';
import { DeferredRecords } from '../erasure/deferred-records.js';
import { ErasePersonalRecords } from '../erasure/erase-personal-records.js';
import { EraseMessages } from '../erasure/erase-messages.js';
import { ErasePeople, ErasePerson } from '../erasure/erase-person.js';
import { EraseSecurityRecords } from '../erasure/erase-security-records.js';
import { Eraser } from '../erasure/eraser.js';
import { FollowErasures } from '../erasure/follow-erasures.js';
import { CachedTexts } from '../erasure/cached-texts.js';
import { MessageCopies } from '../erasure/message-copies.js';
import { PersonTraces } from '../erasure/person-traces.js';
import { SentEmails } from '../erasure/sent-emails.js';
import { MessageTraces } from '../erasure/message-traces.js';

/**
 * How long an operator's command waits for the erasure of a person, which rebuilds every read model, in
 * milliseconds.
 */
const MAX_ERASURE = 30 * 60_000;

/** Erases data in this process, and clears this process's caches after erasures by others. */
@Injectable()
export class Erasure {
  readonly messages: EraseMessages;
  readonly people: ErasePeople;
  readonly records: ErasePersonalRecords;
  readonly securityRecords: EraseSecurityRecords;
  readonly following: FollowErasures;
  /** For operators. */
  readonly person: ErasePerson;

  constructor(
    node: ServerNode,
    streams: FoldedStreams,
    decisions: Decisions,
    messages: MessageReader,
    personal: PersonalReader,
    invitations: InvitationsReader,
    queues: EventQueues,
    transport: MailTransport,
  ) {
    const { stores, follower, clock, logger, erasableModels: models, threads } = node;
    const { log, vault, credentialStore: credentials, files } = stores;
    const people = new PersonTraces({ log, invitations });
    const emails = new SentEmails({ transport, log, vault, follower, people });
    const caches = { queues, emails, copies: threads.ownData, readers: threads.readers };
    const cachedTexts = new CachedTexts({ streams, messages, ...caches });
    const legalHolds = new LegalHolds(log);
    const common = { log, streams, decisions, vault, follower, models, clock, people, legalHolds };
    const traces = new MessageTraces(log);
    const copies = new MessageCopies({ ...common, messages, personal });
    const eraser = new Eraser({ ...common, credentials, traces, copies, cachedTexts });
    const deferred = new DeferredRecords(common);
    const areRecordsDecided = (position: number): Promise<boolean> =>
      node.background.hasReacted(this.records, { position, milliseconds: REACTOR_WAIT });
    const isDone = (position: number): Promise<boolean> =>
      node.background.hasReacted(this.people, { position, milliseconds: MAX_ERASURE });
    this.messages = new EraseMessages({ ...common, eraser, traces });
    this.people = new ErasePeople({ ...common, eraser, deferred, areRecordsDecided });
    this.records = new ErasePersonalRecords({ ...common, files, deferred });
    this.securityRecords = new EraseSecurityRecords(common);
    this.following = new FollowErasures({ log, cachedTexts, emails, logger });
    this.person = new ErasePerson({ ...common, deferred, isDone });
  }
}
