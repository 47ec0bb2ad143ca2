import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import type { ComposingContext } from './compose-text.js';
import type { MessageSent } from '../../../events/messages.js';
import { decideSendMessage, withTopicPolicies } from './sending.decide.js';
import { MessageReader } from '../message-reader.js';
import { AutomaticTopicPolicies } from './automatic-topic-policies.js';
import { mattersWhetherNew, resolveRecipient, type Addressee, type SendFacts } from './recipients.js';
import { UploadAccess } from '../../uploads/upload-access.js';

/** A message that somebody wants to send. */
export interface MessageRequest {
  readonly to: Addressee;
  readonly content: string;
  readonly readBySender: boolean;
  /** Buttons below the text, as JSON text. */
  readonly form?: string | undefined;
}

/** A message that may be sent, and the snapshot by which that was decided. */
interface ComposedMessage {
  readonly event: EventOf<typeof MessageSent>;
  readonly snapshot: Snapshot;
}

/** The sender, the recipient and the snapshot of a message, before what its text names is looked up. */
type SenderContext = Omit<ComposingContext, 'topicParticipantIds' | 'uploads' | 'topicMessages'>;

/** Looks up the facts that the decision to send depends on, and decides. Appends nothing. */
@Injectable()
export class MessageComposer {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly messages: MessageReader,
    private readonly emails: EmailLookup,
    private readonly clock: SystemClock,
    private readonly topicPolicies: AutomaticTopicPolicies,
    private readonly uploadAccess: UploadAccess,
  ) {}

  /** @throws ApplicationError when there is no such addressee, and those of {@link decideSendMessage} */
  async compose(caller: Pick<Caller, 'userId'>, request: MessageRequest): Promise<ComposedMessage> {
    const snapshot = { directory: this.follower.current(), now: this.clock.now() };
    const sender = snapshot.directory.user(caller.userId);
    if (sender === null) throw failure('invalidApiKey');
    const knows = await this.messages.people.predicateFor(sender, snapshot);
    const userByEmail = (email: string): typeof sender | null => {
      const user = this.emails.findFor(sender, snapshot.directory, email);
      return user !== null && knows(user) ? user : null;
    };
    const recipient = resolveRecipient(request.to, { snapshot, sender, userByEmail });
    const facts = await this.factsOf({ snapshot, sender, recipient, knows }, request.content);
    const event = decideSendMessage(request, facts);
    const topicPolicies = await this.topicPolicies.of(facts, event.data.mentions);
    return { event: withTopicPolicies(event, topicPolicies), snapshot };
  }

  /** Looks up what the names in a text mean for its writer. */
  async contextOf(context: SenderContext, content: string): Promise<ComposingContext> {
    const [topicParticipantIds, uploads, topicMessages] = await Promise.all([
      this.messages.participantsIn(context.recipient, content),
      this.uploadAccess.namedIn(content, context.sender.id),
      this.messages.linkedTopics(content, { userId: context.sender.id }),
    ]);
    return { ...context, topicParticipantIds, uploads, topicMessages };
  }

  private async factsOf(context: SenderContext, content: string): Promise<SendFacts> {
    const [isNewConversation, composing] = await Promise.all([
      mattersWhetherNew(context) && this.messages.isNewConversation(context.recipient),
      this.contextOf(context, content),
    ]);
    return { ...composing, ...context, isNewConversation };
  }
}
