import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { REACTOR_WAIT } from '../../projections/engine/reactor.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import { InvitationsReader } from '../contexts/invitations/invitations-reader.js';
import { MailTransport } from '../contexts/mail/mail-transport.js';
import { MessageReader } from '../contexts/messages/message-reader.js';
import { PersonalReader } from '../contexts/personal/personal-reader.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import type { ServerNode } from './server-node.js';
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

/** The parts of a node that erase data. */
export interface Erasure {
  readonly messages: EraseMessages;
  readonly people: ErasePeople;
  readonly records: ErasePersonalRecords;
  readonly securityRecords: EraseSecurityRecords;
  readonly following: FollowErasures;
  /** For operators. */
  readonly person: ErasePerson;
}

/**
 * Creates the parts that erase data in this process, and the one that clears this process's caches after erasures
 * by others.
 */
export function erasureOn(application: NestFastifyApplication, node: ServerNode): Erasure {
  const get = <Value>(token: Type<Value>): Value => application.get(token, { strict: false });
  const { stores, follower, clock, logger, erasableModels: models, threads } = node;
  const { log, vault, credentialStore: credentials, files } = stores;
  const streams = get(FoldedStreams);
  const messages = get(MessageReader);
  const people = new PersonTraces({ log, invitations: get(InvitationsReader) });
  const transport = application.get(MailTransport, { strict: false });
  const emails = new SentEmails({ transport, log, vault, follower, people });
  const caches = { queues: get(EventQueues), emails, copies: threads.ownData, readers: threads.readers };
  const cached = new CachedTexts({ streams, messages, ...caches });
  const legalHolds = new LegalHolds(log);
  const common = { log, streams, vault, follower, models, clock, people, legalHolds };
  const traces = new MessageTraces(log);
  const copies = new MessageCopies({ ...common, messages, personal: get(PersonalReader) });
  const eraser = new Eraser({ ...common, credentials, traces, copies, cachedTexts: cached });
  const deferred = new DeferredRecords(common);
  const records = new ErasePersonalRecords({ ...common, files, deferred });
  const areRecordsDecided = (position: number): Promise<boolean> =>
    node.background.hasReacted(records, { position, milliseconds: REACTOR_WAIT });
  const erasePeople = new ErasePeople({ ...common, eraser, deferred, areRecordsDecided });
  const isDone = (position: number): Promise<boolean> =>
    node.background.hasReacted(erasePeople, { position, milliseconds: MAX_ERASURE });
  return {
    messages: new EraseMessages({ ...common, eraser, traces }),
    people: erasePeople,
    records,
    securityRecords: new EraseSecurityRecords(common),
    following: new FollowErasures({ log, cachedTexts: cached, emails, logger }),
    person: new ErasePerson({ ...common, deferred, isDone }),
  };
}
