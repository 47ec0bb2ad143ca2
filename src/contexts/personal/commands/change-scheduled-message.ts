import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { type EventOf, isEvent, type Recorded } from '../../../kernel/event.js';
import type { Recipient } from '../../../events/messages.js';
import { MessageComposer } from '../../messages/message-composer.js';
import type { Addressee } from '../../messages/recipients.js';
import { refuseNotFuture } from '../due-time.js';
import { MessageScheduled, ScheduledMessageChanged } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';
import { personalStream } from '../personal-stream.js';
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
 * No events when the message was changed meanwhile.
 *
 * @throws ApplicationError `noSuchScheduledMessage`, `dueTimePassed`
 */
export function decideChangeScheduledMessage(
  { waiting }: ScheduledMessages,
  { scheduledId, from, planned }: ScheduledChange,
  /** Milliseconds since the UNIX epoch. */
  now: number,
): readonly EventOf<typeof ScheduledMessageChanged>[] {
  const message = waiting.get(scheduledId);
  if (message === undefined) throw failure('noSuchScheduledMessage');
  if (message.revision !== from) return [];
  refuseNotFuture(planned.dueAt, now);
  return [{ type: 'ScheduledMessageChanged', data: { ...planned, scheduledId } }];
}

/** How often a change is worked out at most, when others are faster. */
const attempts = 10;

@CommandHandler(ChangeScheduledMessage)
export class ChangeScheduledMessageHandler implements ICommandHandler<ChangeScheduledMessage> {
  constructor(
    private readonly personal: PersonalChanges,
    private readonly composer: MessageComposer,
    private readonly log: EventLog,
  ) {}

  /**
   * @throws ApplicationError also when the person may not send the changed message now; `unavailable` when other changes were
   * faster every time
   */
  async execute(command: ChangeScheduledMessage): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await this.change(command)) return;
    }
    throw failure('unavailable');
  }

  /** Answers false when another change was faster. */
  private async change({ caller, scheduledId, changes }: ChangeScheduledMessage): Promise<boolean> {
    const { data, revision: from } = await this.scheduled(caller.userId, scheduledId);
    const { event, moment } = await this.composer.compose(caller, {
      to: changes.readdress(data.recipient),
      content: changes.content ?? data.content,
      readBySender: data.readBySender,
    });
    const plan = { dueAt: changes.dueAt ?? data.dueAt, client: data.client };
    const planned = plannedMessage(event.data, plan);
    const changed = await this.personal.apply(caller, {
      fold: scheduledMessagesFold,
      decide: (state) => decideChangeScheduledMessage(state, { scheduledId, from, planned }, moment.now),
    });
    return changed.length > 0;
  }

  /** The event that made the message what it is: read models may not have it yet. */
  private async scheduled(
    userId: number,
    scheduledId: number,
  ): Promise<Recorded<typeof MessageScheduled | typeof ScheduledMessageChanged>> {
    const { waiting } = await this.personal.load(userId, scheduledMessagesFold);
    const message = waiting.get(scheduledId);
    if (message === undefined) throw failure('noSuchScheduledMessage');
    const page = { from: message.revision, limit: 1 };
    const [event] = await this.log.readStream(personalStream(userId), page);
    if (!isEvent(event, MessageScheduled, ScheduledMessageChanged)) throw failure('noSuchScheduledMessage');
    return event;
  }
}
