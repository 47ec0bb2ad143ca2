import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FoldedStreams } from '../event-store/folded-streams.js';
import { MessageReader } from '../messages/message-reader.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import type { ServerNode } from '../server-node.js';
import { EraseMessages, type ModelsHavePassed } from './erase-messages.js';
import { ErasePeople } from './erase-people.js';
import { ErasePerson } from './erase-person.js';
import { Erasing } from './erasing.js';
import { FollowErasures } from './follow-erasures.js';
import { HeldTexts } from './held-texts.js';
import { MessageTraces } from './message-traces.js';

/** How long the erasure of a deleted message waits for the read models to drop it, before it is tried again: milliseconds. */
const longestWait = 60_000;

/** How long an operator waits for a person's erasure, which rebuilds every read model: milliseconds. */
const longestErasure = 30 * 60_000;

/** What erases, on one node. */
export interface Erasure {
  readonly messages: EraseMessages;
  readonly people: ErasePeople;
  readonly following: FollowErasures;
  /** For operators. */
  readonly person: ErasePerson;
}

/** Puts together what erases in this process, and what lets it forget what others erased. */
export function erasureOn(application: NestFastifyApplication, node: ServerNode): Erasure {
  const get = <Value>(token: Type<Value>): Value => application.get(token, { strict: false });
  const { stores, follower, clock, logger, copies } = node;
  const { log, vault } = stores;
  const streams = get(FoldedStreams);
  const held = new HeldTexts({ streams, messages: get(MessageReader), queues: get(EventQueues) });
  const havePassed: ModelsHavePassed = ({ position }) =>
    node.positions.waitUntil({ position, types: ['MessageDeleted'], milliseconds: longestWait });
  const erasing = new Erasing({ streams, vault, traces: new MessageTraces(log), held, copies, clock });
  const people = new ErasePeople(erasing);
  return {
    messages: new EraseMessages({ erasing, log, follower, havePassed }),
    people,
    following: new FollowErasures({ log, held, logger }),
    person: new ErasePerson({
      follower,
      vault,
      streams,
      clock,
      isDone: (position) => node.hasReacted(people, { position, milliseconds: longestErasure }),
    }),
  };
}
