import { Controller, Get } from '@nestjs/common';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { MAX_MESSAGE_ID } from '../../../contexts/messages/narrow/sources.js';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import type { Answer } from '../../../http/envelope.js';
import { OnlyParameters } from '../../../http/parameters/parameters.decorator.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { failure } from '../../../kernel/errors.js';
import { Readers } from '../../../reader-threads/readers.js';
import { Vault } from '../../../stores/key-store/vault.js';
import { AuditAccess } from '../../commands/audit-access.js';
import type { AuditRecord } from '../../commands/audit-access.decide.js';
import { endOfLog, momentIn, personNamed, wholeLog } from '../../log/requested-selection.js';
import {
  ComparisonParameters,
  ConversationChangesParameters,
  PastConversationParameters,
  type ConversationParameters,
} from './conversation.parameters.js';
import { comparisonReply, conversationChangesReply, pastConversationReply } from './conversation.replies.js';
import type { Conversation } from './conversation.js';
import { CompareConversation } from './queries/compare-conversation.js';
import { GetConversationChanges } from './queries/get-conversation-changes.js';
import { GetPastConversation } from './queries/get-past-conversation.js';
import { requestedConversation } from './requested-conversation.js';

/** Conversations as they were, for auditors. Every access is recorded as an event. */
@ApiTags('audit')
@Controller('audit/conversation')
export class ConversationController {
  constructor(
    private readonly access: AuditAccess,
    private readonly follower: DirectoryFollower,
    private readonly vault: Vault,
    private readonly readers: Readers,
  ) {}

  /**
   * Reads messages of a conversation as it was at a moment, including messages that were moved away or deleted since,
   * with the texts that they had then, as Markdown and as HTML. With `as`, only what that account could see by the
   * permissions of that moment. A page has fewer messages if their texts are long. `older` and `newer` are the
   * anchors of the adjacent pages; null: there are no more messages. With `with_changes`, the reply also tells by which
   * changes of the conversation somebody can go on from the moment. For auditors.
   */
  @Reply(pastConversationReply)
  @Get()
  async read(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(PastConversationParameters) parameters: PastConversationParameters,
  ): Promise<Answer> {
    const { asked, conversation, viewerId, ...noted } = this.understood(caller, parameters);
    const at = momentIn('at', parameters.at) ?? endOfLog;
    const anchor = anchorOf(parameters.anchor);
    const { num_before: before = 50, num_after: after = 50, with_changes: withChanges = false } = parameters;
    const moment = parameters.at === undefined ? null : at;
    const selection = { ...noted.selection, to: moment };
    await this.access.record(caller, {
      view: 'conversation',
      selection,
      asked: { ...asked, anchor, before, after, ...(withChanges && { changes: 'around the moment' }) },
    });
    const page = { conversation, at, viewerId, anchor, before, after, withChanges };
    return this.readers.answer(new GetPastConversation(caller, page));
  }

  /**
   * Lists, in pages, the changes of a conversation, event by event: messages that were sent, edited, deleted, reacted
   * to, or moved out or in. `beyond` is the position after or before which the next page begins; null: there are no
   * more changes. For auditors.
   */
  @Reply(conversationChangesReply)
  @Get('changes')
  async changes(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ConversationChangesParameters) parameters: ConversationChangesParameters,
  ): Promise<Answer> {
    const { after, before, limit = 100 } = parameters;
    if (after !== undefined && before !== undefined)
      throw failure('confusingParameter', { var_name1: 'after', var_name2: 'before' });
    const { asked, conversation, selection } = this.understood(caller, parameters);
    await this.access.record(caller, {
      view: 'conversation-changes',
      selection: { ...selection, after: after ?? null },
      asked: { ...asked, before: before ?? null },
    });
    const beyond = before ?? after ?? -1;
    const order = before === undefined ? 1 : -1;
    return this.readers.answer(new GetConversationChanges(caller, { conversation, beyond, order, limit }));
  }

  /**
   * Compares a conversation at two moments, in pages: which messages were added, removed and changed, and by which
   * events. `after` is the id after which the next page begins; null: there are no more differences. For auditors.
   */
  @Reply(comparisonReply)
  @Get('comparison')
  async compare(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ComparisonParameters) parameters: ComparisonParameters,
  ): Promise<Answer> {
    const { asked, conversation, viewerId, ...noted } = this.understood(caller, parameters);
    const from = momentIn('from', parameters.from) ?? endOfLog;
    const to = momentIn('to', parameters.to);
    const { after = 0, limit = 200 } = parameters;
    const selection = { ...noted.selection, from, to };
    await this.access.record(caller, { view: 'comparison', selection, asked: { ...asked, after } });
    const comparing = { conversation, from, to: to ?? endOfLog, viewerId, after, limit };
    return this.readers.answer(new CompareConversation(caller, comparing));
  }

  /** @throws ApplicationError `insufficientPermission`, `noConversation`, `noSuchUser` */
  private understood(
    caller: Caller,
    parameters: ConversationParameters & { readonly as?: string },
  ): Understood {
    this.access.auditor(caller);
    const conversation = requestedConversation(parameters);
    const lookup = {
      directory: this.follower.current(),
      emailDigest: (email: string) => this.vault.emailDigest(email),
    };
    const viewerId = parameters.as === undefined ? null : personNamed(parameters.as, lookup);
    const channelId = conversation.type === 'channel' ? conversation.channelId : null;
    const asked =
      conversation.type === 'channel'
        ? { topic: parameters.topic ?? null }
        : { userIds: [...conversation.userIds] };
    return { conversation, viewerId, selection: { ...wholeLog, channelId, viewerId }, asked };
  }
}

interface Understood {
  readonly conversation: Conversation;
  readonly viewerId: number | null;
  readonly selection: AuditRecord['selection'];
  readonly asked: NonNullable<AuditRecord['asked']>;
}

/** @throws ApplicationError `invalidAnchor` */
function anchorOf(anchor = 'newest'): number {
  if (anchor === 'newest') return MAX_MESSAGE_ID;
  if (anchor === 'oldest') return 0;
  if (!/^\d{1,15}$/.test(anchor)) throw failure('invalidAnchor');
  return Number(anchor);
}
