import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../http/authentication/public.decorator.js';
import type { SuccessFields } from '../http/envelope.js';
import { GetServerSettings } from './queries/get-server-settings.js';

/** The organization and its server. */
@ApiTags('organization')
@Controller()
export class OrganizationController {
  constructor(private readonly queries: QueryBus) {}

  /** Tells clients what they need before they log in. */
  @Public()
  @Get('server_settings')
  serverSettings(): Promise<SuccessFields> {
    return this.queries.execute(new GetServerSettings());
  }
}
