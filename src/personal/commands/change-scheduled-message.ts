import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import type { Recipient } from '../../messages/events.js';
import { MessageComposer } from '../../messages/message-composer.js';
import type { Addressee } from '../../messages/recipients.js';
import { refuseNotFuture } from '../due-time.js';
import type { ScheduledMessageChanged } from '../events.js';
import { PersonalChanges } from '../personal-changes.js';
import { PersonalReader } from '../personal-reader.js';
import { plannedMessage, type PlannedMessage } from '../planned-message.js';
import { scheduledMessagesFold, type ScheduledMessages } from '../scheduled-messages.js';

/** Changes a message that waits for its time (facts, section 5, PATCH scheduled_messages). */
export class ChangeScheduledMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly scheduledId: number,
    readonly changes: {
      /** Whom the changed message is for, given whom it was for. */
      readonly readdress: (recipient: Recipient) => Addressee;
      /** Undefined: the text stays. */
      readonly content: string | undefined;
      /** Undefined: the time stays. */
      readonly dueAt: number | undefined;
    },
  ) {
    super();
  }
}

/** A change of one version of a scheduled message. */
export interface ScheduledChange {
  readonly scheduledId: number;
  /** Revision of the event that made the message what the change was worked out from. */
  readonly from: number;
  readonly planned: PlannedMessage;
}

/**
 * @throws ApplicationError `noSuchScheduledMessage`, `dueTimePassed`; `unavailable` when the message was changed meanwhile
 */
export function decideChangeScheduledMessage(
  { waiting }: ScheduledMessages,
  { scheduledId, from, planned }: ScheduledChange,
  /** Milliseconds since the UNIX epoch. */
  now: number,
): readonly EventOf<typeof ScheduledMessageChanged>[] {
  const message = waiting.get(scheduledId);
  if (message === undefined) throw failure('noSuchScheduledMessage');
  if (message.revision !== from) throw failure('unavailable');
  refuseNotFuture(planned.dueAt, now);
  return [{ type: 'ScheduledMessageChanged', data: { ...planned, scheduledId } }];
}

@CommandHandler(ChangeScheduledMessage)
export class ChangeScheduledMessageHandler implements ICommandHandler<ChangeScheduledMessage> {
  constructor(
    private readonly personal: PersonalChanges,
    private readonly composer: MessageComposer,
    private readonly reader: PersonalReader,
  ) {}

  /** @throws ApplicationError also when the person may not send the changed message now */
  async execute({ caller, scheduledId, changes }: ChangeScheduledMessage): Promise<void> {
    const scheduled = await this.reader.scheduledMessage(caller.userId, scheduledId);
    if (scheduled === null) throw failure('noSuchScheduledMessage');
    const { recipient, content, readBySender, dueAt, client, revision: from } = scheduled;
    const { event, moment } = await this.composer.compose(caller, {
      to: changes.readdress(recipient),
      content: changes.content ?? content,
      readBySender,
    });
    const planned = plannedMessage(event.data, { dueAt: changes.dueAt ?? dueAt, client });
    await this.personal.apply(caller, {
      fold: scheduledMessagesFold,
      decide: (state) => decideChangeScheduledMessage(state, { scheduledId, from, planned }, moment.now),
    });
  }
}
