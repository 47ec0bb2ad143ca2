import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import type { Directory } from '../../access/directory.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { botTypes } from '../../access/people-permissions.js';
import { MessageSent, storedUserIds } from '../../events/messages.js';
import { outgoingWebhooksStream, type OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { budgets } from '../../kernel/budgets.js';
import type { EventOf, Recorded } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { idAtRevision } from '../../kernel/ids.js';
import { on } from '../../kernel/on.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { callsFold, type Calls } from './calls.js';

const name = 'note-outgoing-webhooks';

/** Notes which outgoing webhook bots a message is for: those that it mentions by name, or that it is sent to. Bots never ask bots. */
@Injectable()
@RunsAsReactor()
export class NoteCalls implements Reactor {
  readonly name = name;
  readonly on = on(MessageSent, (event) => this.note(event));

  /** Whom a message is for does not depend on what it says. */
  readonly clearOnly = true;

  /** Most messages in channels mention nobody. */
  readonly concerns = ({ data }: PersistedEvent): boolean =>
    [data['recipient'], data['mentions']].some((part) => storedUserIds(part).length > 0);

  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async note(event: Recorded<typeof MessageSent>): Promise<void> {
    const botIds = webhookBotsIn(event.data, this.follower.current());
    if (botIds.length === 0) return;
    const messageId = idAtRevision(event.revision);
    const trigger = event.data.recipient.type === 'direct' ? 'direct_message' : 'mention';
    await handle(this.streams, {
      stream: outgoingWebhooksStream,
      fold: callsFold,
      decide: (calls) => botIds.map((botId) => decideCall(calls, { messageId, botId, trigger })),
      metadata: serverMetadata(commandIdOf([name, event.id]), this.clock.now(), event.id),
    });
  }
}

/** A bot that does not keep up is asked no more until it does. */
export function decideCall(
  calls: Calls,
  { messageId, botId, trigger }: Extract<OutgoingWebhookEvent, { type: 'OutgoingWebhookRequested' }>['data'],
): OutgoingWebhookEvent {
  const waiting = [...calls.entries()].filter(([, call]) => call.botId === botId).length;
  return waiting < budgets.outgoingWebhookCalls.max
    ? { type: 'OutgoingWebhookRequested', data: { messageId, botId, trigger } }
    : {
        type: 'OutgoingWebhookFailed',
        data: { messageId, botId, reason: 'too many requests wait for an answer' },
      };
}

/** The outgoing webhook bots that a message is for, rising. */
export function webhookBotsIn(
  {
    senderId,
    recipient,
    mentions,
  }: Pick<EventOf<typeof MessageSent>['data'], 'senderId' | 'recipient' | 'mentions'>,
  directory: Pick<Directory, 'user'>,
): readonly number[] {
  if (directory.user(senderId)?.bot !== null) return [];
  const ids = recipient.type === 'direct' ? recipient.userIds : mentions.userIds;
  return ids.filter((id) => {
    const user = directory.user(id);
    if (user?.isActive !== true || user.bot?.type !== botTypes.outgoingWebhook) return false;
    return (user.bot.service?.baseUrl ?? '') !== '';
  });
}
