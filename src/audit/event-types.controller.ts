import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import type { SuccessFields } from '../http/envelope.js';
import { NoParameters, OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { eventCatalog } from '../stores/event-catalog.js';
import { eventTypesReply } from './audit.replies.js';
import { AuditAccess } from './commands/audit-access.js';

/** Which types of events an auditor can ask for. */
@ApiTags('audit')
@Controller('audit/event_types')
export class EventTypesController {
  constructor(private readonly access: AuditAccess) {}

  /**
   * Lists the types of events that the log may contain, by name, each with a sentence about what happened. For
   * auditors. It tells nothing of the log, so it is not recorded.
   */
  @Reply(eventTypesReply)
  @Get()
  list(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): SuccessFields {
    this.access.auditor(caller);
    return { event_types: eventTypes };
  }
}

const eventTypes = eventCatalog.definitions
  .map(({ type, description }) => ({ type, description }))
  .sort((one, other) => one.type.localeCompare(other.type, 'en'));
