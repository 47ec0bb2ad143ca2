import { hash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { newestInLinkedTopics } from '../sending/linked-topics.js';
import { recipientOf } from '../message-document.js';
import { MessageReader } from '../message-reader.js';
import { MessageDecisions, type VisibleMessage } from '../message-decisions.js';
import { MessageMoves } from '../moves/message-moves.js';
import type { UploadDocument } from '../../uploads/read-model.js';
import { UploadAccess } from '../../uploads/upload-access.js';
import {
  decideEditMessage,
  decideMoveMessage,
  type EditFacts,
  type EditRequest,
  type MessageToMove,
  type TextEditRequest,
} from '../edits.decide.js';

/** Replaces the text of a message, or moves it and others (`PATCH /messages/{message_id}`). */
export class EditMessage extends Command<EditOutcome> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: EditRequest,
  ) {
    super();
  }
}

/** What an edit changed beside the message. */
interface EditOutcome {
  /** The editor's uploads to which no message refers any more. */
  readonly detachedUploads: readonly UploadDocument[];
}

const sha256 = (text: string): string => hash('sha256', text);

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: MessageDecisions,
    private readonly moves: MessageMoves,
    private readonly uploadAccess: UploadAccess,
  ) {}

  async execute(command: EditMessage): Promise<EditOutcome> {
    const { caller, messageId, request } = command;
    const { content } = request;
    if (content !== undefined) return this.edit(caller, messageId, { ...request, content });
    await this.move(command);
    return { detachedUploads: [] };
  }

  /** A move without an edit is decided on the stream of the channel. */
  private async move({ caller, messageId, request }: EditMessage): Promise<void> {
    await this.moves.decide(caller, messageId, async (placed) => {
      const [message, facts] = await Promise.all([
        this.messageToMove(placed, request),
        this.moves.factsFor(placed, request),
      ]);
      return decideMoveMessage(message, request, { place: placed.place, sha256, move: facts });
    });
  }

  /** The message's text is looked up only where the client says which text it believes is there. */
  private async messageToMove(placed: VisibleMessage, request: EditRequest): Promise<MessageToMove> {
    if (request.previousContentSha256 !== undefined) return this.decisions.load(placed);
    return { isDeleted: await this.decisions.isDeleted(placed), content: null };
  }

  /** An edit is an event in the stream of the message, and carries the move that is to follow. */
  private async edit(caller: Caller, messageId: number, request: TextEditRequest): Promise<EditOutcome> {
    const placed = await this.decisions.findVisible(caller, messageId);
    const [move, texts] = await Promise.all([
      this.moves.factsFor(placed, request),
      this.textFacts(placed, request.content),
    ]);
    const appended = await this.decisions.decide(caller, placed, (message, { user: editor, snapshot }) => {
      const facts = { ...texts, snapshot, editor, place: placed.place, sha256, move };
      return [decideEditMessage(message, request, facts)];
    });
    for (const event of appended) if (event.type === 'MessageEdited') await this.moves.finish(event);
    const detached = placed.place.uploadIds;
    return { detachedUploads: await this.uploadAccess.unreferenced(detached, caller.userId) };
  }

  private async textFacts({ session, place }: VisibleMessage, newText: string): Promise<TextFacts> {
    const [topicParticipantIds, uploads, topicMessages] = await Promise.all([
      this.messages.participantsIn(recipientOf(place), newText),
      this.uploadAccess.namedIn(newText, session.context.user.id),
      newestInLinkedTopics(newText, session),
    ]);
    return { topicParticipantIds, uploads, topicMessages, knows: session.context.knows };
  }
}

/** The facts about an edit that depend on what its new text names. */
type TextFacts = Required<Pick<EditFacts, 'topicParticipantIds' | 'uploads' | 'topicMessages' | 'knows'>>;
