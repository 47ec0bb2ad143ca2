import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { MessageDecisions } from '../message-decisions.js';
import { AutomaticTopicPolicies } from '../sending/automatic-topic-policies.js';
import { decideAddReaction, decideRemoveReaction } from '../reactions/reactions.decide.js';
import type { EmojiRequest, NamedEmojiRequest } from '../../../access/emoji.js';

/** Adds an emoji reaction to a message (`POST /messages/{message_id}/reactions`). */
export class AddReaction extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: NamedEmojiRequest,
  ) {
    super();
  }
}

@CommandHandler(AddReaction)
export class AddReactionHandler implements ICommandHandler<AddReaction> {
  constructor(
    private readonly decisions: MessageDecisions,
    private readonly topicPolicies: AutomaticTopicPolicies,
  ) {}

  async execute({ caller, messageId, request }: AddReaction): Promise<void> {
    const placed = await this.decisions.findVisible(caller, messageId);
    const appended = await this.decisions.decide(caller, placed, (message, { user, snapshot }) =>
      decideAddReaction(message, request, { userId: user.id, custom: snapshot.directory.customEmoji }),
    );
    for (const event of appended)
      if (event.type === 'ReactionAdded') await this.topicPolicies.afterParticipation(event);
  }
}

/** Removes a reaction, named by code or by name (`DELETE /messages/{message_id}/reactions`). */
export class RemoveReaction extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: EmojiRequest,
  ) {
    super();
  }
}

@CommandHandler(RemoveReaction)
export class RemoveReactionHandler implements ICommandHandler<RemoveReaction> {
  constructor(private readonly decisions: MessageDecisions) {}

  async execute({ caller, messageId, request }: RemoveReaction): Promise<void> {
    const placed = await this.decisions.findVisible(caller, messageId);
    await this.decisions.decide(caller, placed, (message, { user, snapshot }) =>
      decideRemoveReaction(message, request, { userId: user.id, custom: snapshot.directory.customEmoji }),
    );
  }
}
