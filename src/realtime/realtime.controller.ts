import { Controller, Delete, Get, Headers, Post, type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import { replyBytesInTurns, SuccessInOwnNames, WrittenReply } from '../http/envelope.js';
import { SeparateRateLimit } from '../http/limits/rate-limit.guard.js';
import { Parameters } from '../http/parameters/parameters.decorator.js';
import { RawJson } from '../kernel/json.js';
import { Reply, type ReplyFields } from '../http/replies/reply.decorator.js';
import { appendsNothing } from '../http/server/availability.js';
import { DescribedContexts, queueEventSchemas } from './client-event-schema.js';
import { AcknowledgeEvents, DeleteQueue, RegisterClient } from './commands/queues.js';
import { GetEvents } from './queries/get-events.js';
import { requestedOptionsOf } from './queues/queue-options-of.js';
import { DeleteQueueParameters, GetEventsParameters, RegisterParameters } from './realtime.parameters.js';

/** The part of the reply to `POST /register` that does not depend on the request; contexts add the rest. */
const registered = {
  queue_id: z.string(),
  last_event_id: z.int().describe('To be sent as `last_event_id` with the first request of `GET /events`'),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  zulip_feature_level: z.int(),
  idle_queue_timeout_secs: z.int().describe('After how many seconds without a request the queue is deleted'),
} as const;

/**
 * The reply to `POST /register`: its members depend on `fetch_event_types` and on the client's capabilities.
 */
function registerReply(application: INestApplicationContext): ReplyFields {
  return { ...registered, ...application.get(DescribedContexts, { strict: false }).state };
}

/** The events of a queue, each by the schema of its type and operation. */
function eventsReply(application: INestApplicationContext): ReplyFields {
  const { events } = application.get(DescribedContexts, { strict: false });
  return {
    queue_id: z.string(),
    events: z.array(z.union([...queueEventSchemas, ...events])).describe('In the order of their ids'),
  };
}

/** Real time: clients register, then poll for events. */
@ApiTags('real time')
@Controller()
export class RealtimeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Opens an event queue and returns the state before its first event. */
  @RouteConfig(appendsNothing)
  @Reply(registerReply)
  @Post('register')
  async register(
    @CurrentCaller() caller: Caller,
    @Parameters(RegisterParameters) parameters: RegisterParameters,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<WrittenReply> {
    const options = requestedOptionsOf(parameters, userAgent);
    const fetched = parameters.fetch_event_types ?? parameters.event_types;
    const request = { options, fetched: fetched === undefined ? null : new Set(fetched) };
    const members = await this.commands.execute(new RegisterClient(caller, request));
    return new WrittenReply(await replyBytesInTurns(members));
  }

  /** Reads the events that the client does not have yet, and waits for one if there is none. */
  @SeparateRateLimit()
  @Reply(eventsReply)
  @Get('events')
  async events(
    @CurrentCaller() caller: Caller,
    @Parameters(GetEventsParameters) parameters: GetEventsParameters,
  ): Promise<SuccessInOwnNames> {
    const { queue_id: queueId, last_event_id: lastEventId, dont_block: isImpatient = false } = parameters;
    await this.commands.execute(new AcknowledgeEvents(caller, { queueId, lastEventId }));
    const events = await this.queries.execute(new GetEvents(caller, { queueId, isHeld: !isImpatient }));
    return new SuccessInOwnNames({ events: new RawJson(events), queue_id: queueId });
  }

  /** Ends a queue. */
  @RouteConfig(appendsNothing)
  @Reply()
  @Delete('events')
  async delete(
    @CurrentCaller() caller: Caller,
    @Parameters(DeleteQueueParameters) { queue_id: queueId }: DeleteQueueParameters,
  ): Promise<void> {
    await this.commands.execute(new DeleteQueue(caller, queueId));
  }
}
