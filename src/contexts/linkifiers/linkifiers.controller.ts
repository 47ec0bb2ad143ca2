import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { AddLinkifier, ChangeLinkifier, RemoveLinkifier, ReorderLinkifiers } from './commands/linkifiers.js';
import {
  linkifierChange,
  linkifierDefinition,
  LinkifierParameters,
  ReorderLinkifiersParameters,
} from './linkifiers.parameters.js';
import { GetLinkifiers } from './queries/linkifiers.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { addedLinkifierReply, linkifiersReply } from './linkifiers.replies.js';

/** The rules by which texts become links. */
@ApiTags('linkifiers')
@Controller('realm')
export class LinkifiersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the linkifiers, in their order. */
  @Reply(linkifiersReply)
  @Get('linkifiers')
  async list(): Promise<SuccessFields> {
    return { linkifiers: await this.queries.execute(new GetLinkifiers()) };
  }

  /** Adds a linkifier. */
  @Reply(addedLinkifierReply)
  @Post('filters')
  async add(
    @CurrentCaller() caller: Caller,
    @Parameters(LinkifierParameters) parameters: LinkifierParameters,
  ): Promise<SuccessFields> {
    return { id: await this.commands.execute(new AddLinkifier(caller, linkifierDefinition(parameters))) };
  }

  /** Replaces a linkifier. */
  @Reply()
  @Patch('filters/:filter_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('filter_id') linkifierId: number,
    @Parameters(LinkifierParameters) parameters: LinkifierParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeLinkifier(caller, linkifierId, linkifierChange(parameters)));
  }

  /** Removes a linkifier. */
  @Reply()
  @Delete('filters/:filter_id')
  async remove(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('filter_id') linkifierId: number,
  ): Promise<void> {
    await this.commands.execute(new RemoveLinkifier(caller, linkifierId));
  }

  /** Reorders the linkifiers. */
  @Reply()
  @Patch('linkifiers')
  async reorder(
    @CurrentCaller() caller: Caller,
    @Parameters(ReorderLinkifiersParameters) { ordered_linkifier_ids: ids }: ReorderLinkifiersParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderLinkifiers(caller, ids));
  }
}
