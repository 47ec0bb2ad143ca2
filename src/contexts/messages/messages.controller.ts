import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { RawJson } from '../../kernel/json.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { appendsNothing } from '../../http/server/availability.js';
import { attachmentObject } from '../uploads/uploads.replies.js';
import { OpenToIncomingWebhooks } from '../users/incoming-webhooks.js';
import { addresseeOf, countsAsRead } from './sending/addressee.js';
import { DeleteMessage } from './commands/deletion.js';
import { EditMessage } from './commands/edit-message.js';
import type { EditRequest } from './edits.decide.js';
import { SendMessage } from './commands/send-message.js';
import {
  EditMessageParameters,
  GetMessageParameters,
  GetMessagesParameters,
  SendMessageParameters,
  MatchesNarrowParameters,
  RenderParameters,
} from './messages.parameters.js';
import { messageSelection } from './message-selection.js';
import { Readers } from '../../reader-threads/readers.js';
import { parseNarrow } from './narrow/terms.js';
import { NewestPages } from './newest-pages.js';
import { GetMessageHistory } from './queries/get-message-history.js';
import { GetReadReceipts } from './queries/flags.js';
import { GetMessage, GetMessages, MatchNarrow } from './queries/get-messages.js';
import { RenderText } from './queries/render-text.js';
import { parseForm } from './submessages/submessage.js';
import type { MessageFormat } from './view/flags.js';
import { needsReactingUsers } from './view/reacting-user.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import {
  editReply,
  historyReply,
  matchesReply,
  messageReply,
  messagesReply,
  readReceiptsReply,
  renderReply,
  sendReply,
} from './messages.replies.js';

/** Messages: sending, reading, editing and deleting them. */
@ApiTags('messages')
@Controller('messages')
export class MessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly readers: Readers,
    private readonly newest: NewestPages,
  ) {}

  /** Sends a message to a channel or to people. */
  @OpenToIncomingWebhooks()
  @Reply(sendReply)
  @Post()
  async send(
    @CurrentCaller() caller: Caller,
    @Parameters(SendMessageParameters) parameters: SendMessageParameters,
  ): Promise<SuccessFields> {
    const { content, queue_id: queueId, local_id: localId, widget_content: widget } = parameters;
    const localEcho = queueId === undefined || localId === undefined ? null : { queueId, localId };
    const readBySender = countsAsRead(parameters.read_by_sender, caller.client);
    const form = widget === undefined ? undefined : parseForm(widget);
    const { id, automaticPolicy } = await this.commands.execute(
      new SendMessage(caller, { to: addresseeOf(parameters), content, form, readBySender, localEcho }),
    );
    return { id, ...(automaticPolicy !== null && { automatic_new_visibility_policy: automaticPolicy }) };
  }

  /** Reads messages around an anchor, or by their ids. */
  @Reply(messagesReply)
  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @Parameters(GetMessagesParameters) parameters: GetMessagesParameters,
  ): Promise<Answer> {
    const narrow = parameters.narrow === undefined ? [] : parseNarrow(parameters.narrow);
    const selection = messageSelection(parameters);
    const query = new GetMessages(caller, { selection, narrow, format: formatOf(parameters, caller) });
    return this.newest.answer(query);
  }

  /** Returns which of some messages match a narrow, with the words marked that it searches for. */
  @Reply(matchesReply)
  @Get('matches_narrow')
  async matchesNarrow(
    @CurrentCaller() caller: Caller,
    @Parameters(MatchesNarrowParameters) { msg_ids: ids, narrow }: MatchesNarrowParameters,
  ): Promise<Answer> {
    return this.readers.answer(new MatchNarrow(caller, ids, parseNarrow(narrow)));
  }

  /** Renders a text as it would be if the caller sent it. */
  @RouteConfig(appendsNothing)
  @Reply(renderReply)
  @Post('render')
  async render(
    @CurrentCaller() caller: Caller,
    @Parameters(RenderParameters) { content }: RenderParameters,
  ): Promise<SuccessFields> {
    return { rendered: await this.queries.execute(new RenderText(caller, content)) };
  }

  /** Reads one message and its raw text. */
  @Reply(messageReply)
  @Get(':message_id')
  async get(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(GetMessageParameters) parameters: GetMessageParameters,
  ): Promise<RawJson> {
    return new RawJson(
      await this.queries.execute(new GetMessage(caller, messageId, formatOf(parameters, caller))),
    );
  }

  /** Reads the versions of a message, oldest first: the last hundred versions where there are more. */
  @Reply(historyReply)
  @Get(':message_id/history')
  async history(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(GetMessageParameters) parameters: GetMessageParameters,
  ): Promise<Answer> {
    return this.readers.answer(new GetMessageHistory(caller, messageId, formatOf(parameters, caller)));
  }

  /** Returns who has read a message. */
  @Reply(readReceiptsReply)
  @Get(':message_id/read_receipts')
  async readReceipts(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
  ): Promise<Answer> {
    return this.readers.answer(new GetReadReceipts(caller, messageId));
  }

  /** Replaces the text of a message, or moves it and others to another topic or channel. */
  @Reply(editReply)
  @Patch(':message_id')
  async edit(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(EditMessageParameters) parameters: EditMessageParameters,
  ): Promise<SuccessFields> {
    const command = new EditMessage(caller, messageId, editRequestOf(parameters));
    const { detachedUploads } = await this.commands.execute(command);
    return { detached_uploads: detachedUploads.map((upload) => attachmentObject(upload, [])) };
  }

  /** Deletes a message for everyone. */
  @Reply()
  @Delete(':message_id')
  async delete(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
  ): Promise<void> {
    await this.commands.execute(new DeleteMessage(caller, messageId));
  }
}

function formatOf(
  parameters: GetMessageParameters & Pick<GetMessagesParameters, 'client_gravatar'>,
  { client }: Caller,
): MessageFormat {
  return {
    applyMarkdown: parameters.apply_markdown ?? true,
    clientGravatar: parameters.client_gravatar ?? true,
    allowEmptyTopicName: parameters.allow_empty_topic_name ?? false,
    ...(needsReactingUsers(client) && { namesReactingUsers: true }),
  };
}

function editRequestOf(parameters: EditMessageParameters): EditRequest {
  return {
    content: parameters.content,
    previousContentSha256: parameters.prev_content_sha256,
    topic: parameters.topic,
    channelId: parameters.stream_id,
    mode: parameters.propagate_mode ?? 'change_one',
    notify: {
      oldThread: parameters.send_notification_to_old_thread ?? false,
      newThread: parameters.send_notification_to_new_thread ?? true,
    },
  };
}
