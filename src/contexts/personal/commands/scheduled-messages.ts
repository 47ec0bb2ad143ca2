import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { MessageComposer, type MessageRequest } from '../../messages/sending/message-composer.js';
import { MessageScheduled, personalStream, ScheduledMessageChanged } from '../../../events/personal.js';
import { Decisions } from '../../../http/decisions.js';
import { ListBudget, sizeWithHtml } from '../list-budget.js';
import { plannedMessage } from '../planned-message.js';
import { scheduledMessagesOf } from '../scheduled-messages.state.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../../kernel/event.js';
import { retryOnConflict } from '../../../kernel/retry-on-conflict.js';
import type { Recipient } from '../../../events/messages.js';
import type { Addressee } from '../../messages/sending/recipients.js';
import {
  decideScheduleMessage,
  decideChangeScheduledMessage,
  decideCancelScheduledMessage,
} from '../scheduled-messages.decide.js';

/** Schedules a message (`POST /scheduled_messages`). Returns its id. */
export class ScheduleMessage extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: MessageRequest,
    /** Seconds since the UNIX epoch. */
    readonly dueAt: number,
  ) {
    super();
  }
}

@CommandHandler(ScheduleMessage)
export class ScheduleMessageHandler implements ICommandHandler<ScheduleMessage> {
  constructor(
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly room: ListBudget,
  ) {}

  /** @throws ApplicationError `listTooLong`, also when the person may not send this now */
  async execute({ caller, request, dueAt }: ScheduleMessage): Promise<number> {
    const { event, snapshot } = await this.composer.compose(caller, request);
    const planned = plannedMessage(event.data, { dueAt, client: caller.client });
    await this.room.assertRoomFor('scheduled_messages', {
      userId: caller.userId,
      size: sizeWithHtml(planned),
    });
    const {
      events: [scheduled],
    } = await this.decisions.decide(caller, scheduledMessagesOf(caller.userId), (state) =>
      decideScheduleMessage(state, planned, snapshot.now),
    );
    if (scheduled === undefined) throw failure('internalError');
    return scheduled.data.scheduledId;
  }
}

/** Changes a scheduled message (`PATCH /scheduled_messages/{scheduled_message_id}`). */
export class ChangeScheduledMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly scheduledId: number,
    readonly changes: {
      /** The new addressee, given the present recipient. */
      readonly readdress: (recipient: Recipient) => Addressee;
      /** Undefined: the text does not change. */
      readonly content: string | undefined;
      /** Undefined: the time does not change. */
      readonly dueAt: number | undefined;
    },
  ) {
    super();
  }
}

@CommandHandler(ChangeScheduledMessage)
export class ChangeScheduledMessageHandler implements ICommandHandler<ChangeScheduledMessage> {
  constructor(
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly log: EventLog,
    private readonly room: ListBudget,
  ) {}

  /**
   * @throws ApplicationError `listTooLong`, also when the person may not send the changed message now; `unavailable` when
   * other changes came first on every attempt
   */
  async execute(command: ChangeScheduledMessage): Promise<void> {
    await retryOnConflict(() => this.change(command));
  }

  /** Returns null when another change came first. */
  private async change({
    caller,
    scheduledId,
    changes,
  }: ChangeScheduledMessage): Promise<readonly RecordedEvent[] | null> {
    const { data, revision: from } = await this.scheduled(caller.userId, scheduledId);
    const { event, snapshot } = await this.composer.compose(caller, {
      to: changes.readdress(data.recipient),
      content: changes.content ?? data.content,
      readBySender: data.readBySender,
    });
    const plan = { dueAt: changes.dueAt ?? data.dueAt, client: data.client };
    const planned = plannedMessage(event.data, plan);
    const { userId } = caller;
    const size = sizeWithHtml(planned);
    await this.room.assertRoomFor('scheduled_messages', { userId, size, replaces: scheduledId });
    const { events } = await this.decisions.decide(caller, scheduledMessagesOf(caller.userId), (state) =>
      decideChangeScheduledMessage(state, { scheduledId, from, planned }, snapshot.now),
    );
    return events.length > 0 ? events : null;
  }

  /** The event that last changed the message: read models may not include it yet. */
  private async scheduled(
    userId: number,
    scheduledId: number,
  ): Promise<Recorded<typeof MessageScheduled | typeof ScheduledMessageChanged>> {
    const { waiting } = await this.decisions.load(scheduledMessagesOf(userId));
    const message = waiting.get(scheduledId);
    if (message === undefined) throw failure('noSuchScheduledMessage');
    const page = { from: message.revision, limit: 1 };
    const [event] = await this.log.readStream(personalStream(userId), page);
    if (!isEvent(event, MessageScheduled, ScheduledMessageChanged)) throw failure('noSuchScheduledMessage');
    return event;
  }
}

/** Cancels a scheduled message (`DELETE /scheduled_messages/{scheduled_message_id}`). */
export class CancelScheduledMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly scheduledId: number,
  ) {
    super();
  }
}

@CommandHandler(CancelScheduledMessage)
export class CancelScheduledMessageHandler implements ICommandHandler<CancelScheduledMessage> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, scheduledId }: CancelScheduledMessage): Promise<void> {
    const { userId } = caller;
    await this.decisions.decide(caller, scheduledMessagesOf(caller.userId), (state) =>
      decideCancelScheduledMessage(state, { userId, scheduledId }),
    );
  }
}
