import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChannelsModule } from '../channels/channels.module.js';
import type { Configuration } from '../../config.js';
import { MessagesModule } from '../messages/messages.module.js';
import { AcceptInvitationHandler, RequestSignUpHandler } from './commands/joining.js';
import {
  CreateInvitationLinkHandler,
  ResendInvitationHandler,
  RevokeInvitationHandler,
  SendInvitationsHandler,
} from './commands/invitations.js';
import { TestWelcomeHandler } from './commands/welcome.js';
import { InvitationsReader } from './invitations-reader.js';
import { InvitationsController } from './invitations.controller.js';
import { JoinController } from './join.controller.js';
import { JoinLinks } from './join-links.js';
import { JoinPagesController } from './join-pages.controller.js';
import { InvitationEmails } from './invitation-emails.js';
import { GetInvitationsHandler } from './queries/get-invitations.js';
import { AdmitInvited } from './reactors/admit-invited.js';
import { AnswerNewcomers } from './reactors/answer-newcomers.js';
import { InvitationPolicy } from './validity.js';
import { WelcomeController } from './welcome.controller.js';

const handlers = [
  SendInvitationsHandler,
  CreateInvitationLinkHandler,
  RevokeInvitationHandler,
  ResendInvitationHandler,
  AcceptInvitationHandler,
  RequestSignUpHandler,
  GetInvitationsHandler,
  TestWelcomeHandler,
];

/** Invitations, and joining with them. */
@Module({})
export class InvitationsModule {
  static register({
    configuration,
  }: {
    readonly configuration: Pick<Configuration, 'invitationValidityMinutes' | 'invitationsPerDay'>;
  }): DynamicModule {
    const { invitationValidityMinutes, invitationsPerDay } = configuration;
    const policy = new InvitationPolicy(invitationValidityMinutes, invitationsPerDay);
    return {
      module: InvitationsModule,
      imports: [CqrsModule, MessagesModule, ChannelsModule],
      controllers: [InvitationsController, JoinController, JoinPagesController, WelcomeController],
      providers: [
        { provide: InvitationPolicy, useValue: policy },
        InvitationsReader,
        JoinLinks,
        InvitationEmails,
        AdmitInvited,
        AnswerNewcomers,
        ...handlers,
      ],
      exports: [InvitationsReader],
    };
  }
}
