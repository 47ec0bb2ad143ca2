import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import {
  CreateInvitationLink,
  ResendInvitation,
  RevokeInvitation,
  SendInvitations,
} from './commands/invitations.js';
import {
  CreateInvitationLinkParameters,
  invitationRequestOf,
  SendInvitationsParameters,
} from './invitations.parameters.js';
import { GetInvitations } from './queries/get-invitations.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { createdLinkReply, invitationsReply } from './invitations.replies.js';

/** Inviting people. */
@ApiTags('invitations')
@Controller('invites')
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the open invitations and reusable links: all for administrators, their own for others. */
  @Reply(invitationsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { invites: await this.queries.execute(new GetInvitations(caller)) };
  }

  /** Invites people by e-mail. */
  @Reply()
  @Post()
  async send(
    @CurrentCaller() caller: Caller,
    @Parameters(SendInvitationsParameters) parameters: SendInvitationsParameters,
  ): Promise<void> {
    const { invitee_emails: addresses, notify_referrer_on_join: notifyInviter = true } = parameters;
    const request = { ...invitationRequestOf(parameters), addresses, notifyInviter };
    await this.commands.execute(new SendInvitations(caller, request));
  }

  /** Creates a reusable link. */
  @Reply(createdLinkReply)
  @Post('multiuse')
  async createLink(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateInvitationLinkParameters) parameters: CreateInvitationLinkParameters,
  ): Promise<SuccessFields> {
    const command = new CreateInvitationLink(caller, invitationRequestOf(parameters));
    return { invite_link: await this.commands.execute(command) };
  }

  /** Revokes a reusable link. */
  @Reply()
  @Delete('multiuse/:invite_id')
  async revokeLink(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('invite_id') invitationId: number,
  ): Promise<void> {
    await this.commands.execute(new RevokeInvitation(caller, invitationId, 'link'));
  }

  /** Revokes an invitation. */
  @Reply()
  @Delete(':invite_id')
  async revoke(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('invite_id') invitationId: number,
  ): Promise<void> {
    await this.commands.execute(new RevokeInvitation(caller, invitationId, 'invitation'));
  }

  /** Sends an invitation again. */
  @Reply()
  @Post(':invite_id/resend')
  async resend(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('invite_id') invitationId: number,
  ): Promise<void> {
    await this.commands.execute(new ResendInvitation(caller, invitationId));
  }
}
