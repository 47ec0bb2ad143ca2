import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../http/decisions.js';
import { commandIdOf, randomCommandId } from '../../../stores/event-store/event-id.js';
import type { Caller } from '../../../http/caller.js';
import { Vault } from '../../../stores/key-store/vault.js';
import type { EventOf } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { VisibilityPolicy } from '../../../events/attention.js';
import { type MessageSent, MESSAGES_STREAM } from '../../../events/messages.js';
import { AutomaticTopicPolicies } from '../sending/automatic-topic-policies.js';
import { BotFailures } from '../bot-failures.js';
import { LocalEchoes, type LocalEcho } from '../sending/local-echoes.js';
import { MessageComposer, type MessageRequest } from '../sending/message-composer.js';

/** A message that was sent. */
interface SentMessage {
  readonly id: number;
  /** The topic policy that the message caused for its sender; null: no change. */
  readonly automaticPolicy: VisibilityPolicy | null;
}

/** Sends a message to a channel or to people (`POST /messages`). */
export class SendMessage extends Command<SentMessage> {
  constructor(
    readonly caller: Caller,
    readonly request: MessageRequest & {
      /** The id that the client gave this message: with the same id it is sent only once. */
      readonly localEcho: LocalEcho | null;
      /**
       * A command id for messages that have an identity of their own, wherever they come from: with the same
       * id a message is sent only once.
       */
      readonly commandId?: string;
    },
  ) {
    super();
  }
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly topicPolicies: AutomaticTopicPolicies,
    private readonly echoes: LocalEchoes,
    private readonly vault: Vault,
    private readonly failures: BotFailures,
  ) {}

  async execute({ caller, request }: SendMessage): Promise<SentMessage> {
    const composing = this.decisions.step('decide messages', () => this.composer.compose(caller, request));
    const { event, snapshot } = await composing.catch(async (error: unknown) => {
      await this.failures.refused(caller.userId, request.to, error);
      throw error;
    });
    const commandId = request.commandId ?? this.commandIdFor(caller, request.localEcho, event.data);
    if (request.localEcho !== null) this.echoes.expect(commandId, request.localEcho);
    const appended = await this.decisions.append(MESSAGES_STREAM, [event], {
      actorId: caller.userId,
      commandId,
      causationId: null,
      client: caller.client,
      at: snapshot.now,
    });
    const automaticPolicy = await this.topicPolicies.beforeReply(appended.events[0]!);
    await this.failures.sent(caller.userId, event.data.recipient);
    return { id: idAtRevision(appended.revision), automaticPolicy };
  }

  /**
   * A client that repeats its id with another text or recipient means another message, which must not be
   * lost: the command id depends on all three.
   */
  private commandIdFor(
    { userId }: Caller,
    name: LocalEcho | null,
    { recipient, content, form = '' }: EventOf<typeof MessageSent>['data'],
  ): string {
    if (name === null) return randomCommandId();
    const said = this.vault.textDigest(JSON.stringify([recipient, content, form]));
    return commandIdOf(['send-message', String(userId), name.queueId, name.localId, said]);
  }
}
