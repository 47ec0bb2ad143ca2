import { Controller, Get, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IsIn, MaxLength, Min } from 'class-validator';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { isOwner } from '../../access/records/roles.js';
import { modelOperations, type ModelOperation } from '../../events/operations.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { OnlyParameters } from '../../http/parameters/parameters.decorator.js';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { SeparateRateLimit } from '../../http/limits/rate-limit.guard.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { availableWhileLagging } from '../../http/server/availability.js';
import { failure } from '../../kernel/errors.js';
import { ModelCommands } from '../model-commands.js';
import { Overview } from '../overview/overview.js';
import { ProjectionOperations } from '../projection-operations.js';
import { SnapshotList } from '../../stores/event-store/snapshots/list-snapshots.js';
import { operationsReply, orderReply, overviewReply } from './operations.replies.js';

/** Parameters of POST /audit/operations. */
class OrderParameters {
  @TextParameter({
    example: 'verify',
    required: true,
    values: modelOperations,
    description: 'The operation to carry out.',
  })
  @IsIn(modelOperations)
  operation!: ModelOperation;

  @TextParameter({
    example: 'messages',
    description:
      'The name of a read model, or `reactor:<name>`. Absent for operations that do not concern a single read model or reactor.',
  })
  @MaxLength(100)
  projection?: string;

  @TextParameter({
    description:
      'The id of the event to `retry`, `discard` or `restore`. The operation is refused if the read model or reactor is not halted at this event. Absent: the event at which it is halted; for `restore` all events that were discarded. If a read model and its rebuild are halted at different events, `discard` requires an id.',
  })
  @MaxLength(100)
  event_id?: string;

  @IntegerParameter({ description: 'Only for `rebuild`: the most events to process in one second.' })
  @Min(1)
  events_per_second?: number;
}

/** Most snapshots in one reply: each is a file to open. */
const MAX_SNAPSHOTS = 100;

/** Parameters of GET /audit/overview. */
class OverviewParameters {
  @IntegerParameter({ description: 'Only samples after this time, in milliseconds since the UNIX epoch.' })
  @Min(0)
  since?: number;
}

/** Parameters of GET /audit/operations. */
class OperationsParameters {
  @BooleanParameter({
    description: 'Whether the reply lists the snapshots, each of which is a file to open. Default true.',
  })
  snapshots?: boolean;
}

/** What `palimpsest projections` can do, over HTTP: for owners. */
@ApiTags('audit')
@Controller('audit')
export class OperationsController {
  constructor(
    private readonly commands: ModelCommands,
    private readonly overview: Overview,
    private readonly operations: ProjectionOperations,
    private readonly snapshots: SnapshotList,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Tells the state of the server: a verdict, the reasons for it, and measurements of the last hour. Owners only. */
  @Reply(overviewReply)
  @SeparateRateLimit('status')
  @Get('overview')
  async readOverview(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(OverviewParameters) { since = 0 }: OverviewParameters,
  ): Promise<SuccessFields> {
    this.assertOwner(caller);
    const report = await this.overview.report(since);
    if (report === null) throw failure('unavailable');
    return { overview: report };
  }

  /**
   * Tells the state of every reactor, the latest operator commands with their progress, and the newest 100 of the
   * snapshots with the number of all. Owners only.
   */
  @Reply(operationsReply)
  @SeparateRateLimit('status')
  @Get('operations')
  async readOperations(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(OperationsParameters) { snapshots: withSnapshots = true }: OperationsParameters,
  ): Promise<SuccessFields> {
    this.assertOwner(caller);
    const snapshots = withSnapshots ? await this.snapshots.newest(MAX_SNAPSHOTS) : null;
    return {
      orders: this.commands.reports,
      reactors: await this.operations.reactors(),
      ...(snapshots !== null && { snapshots: snapshots.newest, snapshot_count: snapshots.count }),
    };
  }

  /**
   * Starts an operation on a read model, a reactor or the snapshots. The command is recorded in the log before the
   * operation starts. A long operation continues after the reply: `GET /audit/operations` tells its progress. Owners
   * only.
   */
  @Reply(orderReply)
  @Post('operations')
  @RouteConfig(availableWhileLagging)
  async order(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(OrderParameters) parameters: OrderParameters,
  ): Promise<SuccessFields> {
    this.assertOwner(caller);
    const { operation, projection = null, event_id = null, events_per_second = null } = parameters;
    if ((projection === null) !== (operation === 'drop-snapshots'))
      throw failure('unsupportedParameterCombination', { parameters: 'operation, projection' });
    const command = { operation, projection, eventId: event_id, eventsPerSecond: events_per_second };
    return { order: await this.commands.run(command, { userId: caller.userId, client: caller.client }) };
  }

  /** @throws ApplicationError `ownerRequired` */
  private assertOwner({ userId }: Caller): void {
    const user = this.follower.current().user(userId);
    if (user === null || !isOwner(user)) throw failure('ownerRequired');
  }
}
