import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/documentation.decorators.js';
import { EventLog } from '../event-store/event-log.js';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import { Parameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { failure } from '../kernel/errors.js';
import { AuditAccess, type Audit } from './commands/note-audit.js';
import { ReadLogParameters } from './dto/read-log.parameters.js';
import { ReadModels } from './read-models.js';
import { readMessageLife } from './message-life.js';
import type { LogSelection } from './log-selection.js';
import { readLogPage } from './queries/read-log-page.js';

/** The log for owners, read-only. Every access to it is itself an event. */
@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(
    private readonly log: EventLog,
    private readonly access: AuditAccess,
    private readonly models: ReadModels,
  ) {}

  /** Reads a page of the log, in log order. Owners only. */
  @Get('log')
  async readLog(
    @CurrentCaller() caller: Caller,
    @Parameters(ReadLogParameters) parameters: ReadLogParameters,
  ): Promise<SuccessFields> {
    const { limit = 100 } = parameters;
    await this.access.note(caller, { view: 'log', selection: notedSelection(parameters) });
    return { ...(await readLogPage(this.log, selectionOf(parameters), Math.min(1000, Math.max(1, limit)))) };
  }

  /**
   * Reads the whole life of a message, also after it was deleted. Owners only. Whether a move by somebody who saw a part of a
   * channel took a message along that had come from elsewhere, only `palimpsest audit history` tells for certain.
   */
  @Get('messages/:message_id/history')
  async readHistory(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
  ): Promise<SuccessFields> {
    await this.access.note(caller, { view: 'history', selection: notedSelection({ message_id: messageId }) });
    const life = await readMessageLife(this.log, messageId, () => Promise.resolve(null));
    if (life === null) throw failure('invalidMessage');
    return { message_id: life.messageId, sender_id: life.senderId, steps: life.steps };
  }

  /** Tells how every read model is doing, and which events they stand before. Owners only. */
  @Get('projections')
  async readModels(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    this.access.owner(caller);
    const head = await this.log.store.head();
    return { head, projections: await this.models.status(), dead_letters: await this.models.deadLetters() };
  }
}

function selectionOf(parameters: ReadLogParameters): LogSelection {
  const { stream, type, actor_id: actorId, message_id: messageId, channel_id: channelId, after } = parameters;
  return {
    ...(stream !== undefined && { streams: [stream] }),
    ...(type !== undefined && { types: [type] }),
    ...(actorId !== undefined && { actorIds: new Set([actorId]) }),
    ...(messageId !== undefined && { messageId }),
    ...(channelId !== undefined && { channelId }),
    ...(after !== undefined && { from: after + 1 }),
  };
}

function notedSelection(parameters: ReadLogParameters): Audit['selection'] {
  return {
    stream: parameters.stream ?? null,
    type: parameters.type ?? null,
    actorId: parameters.actor_id ?? null,
    messageId: parameters.message_id ?? null,
    channelId: parameters.channel_id ?? null,
    after: parameters.after ?? null,
  };
}
