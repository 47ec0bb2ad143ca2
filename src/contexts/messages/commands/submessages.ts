import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { MessageDecisions } from '../message-decisions.js';
import { AutomaticTopicPolicies } from '../sending/automatic-topic-policies.js';
import { decideAttachSubmessage, type SubmessageRequest } from '../submessages/submessages.decide.js';

/** Attaches to a message that is a widget (`POST /submessage`). */
export class AttachSubmessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: SubmessageRequest,
  ) {
    super();
  }
}

@CommandHandler(AttachSubmessage)
export class AttachSubmessageHandler implements ICommandHandler<AttachSubmessage> {
  constructor(
    private readonly decisions: MessageDecisions,
    private readonly topicPolicies: AutomaticTopicPolicies,
  ) {}

  async execute({ caller, messageId, request }: AttachSubmessage): Promise<void> {
    const placed = await this.decisions.findVisible(caller, messageId);
    const appended = await this.decisions.decide(caller, placed, (message) =>
      decideAttachSubmessage(message, request, caller),
    );
    for (const event of appended) {
      if (event.type === 'SubmessageAttached') await this.topicPolicies.afterParticipation(event);
    }
  }
}
