import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { DueRounds, type DuePage } from '../../../projections/engine/due-rounds.js';
import { FailurePause } from '../../../projections/engine/pause.js';
import { isAboutStores } from '../../../projections/engine/poison-event.js';
import { UnrecordedOutcomes } from '../../../projections/engine/unrecorded-outcomes.js';
import type { DirectoryFollower } from '../../access/directory-follower.js';
import { Decisions } from '../../http/decisions.js';
import type { Logger } from '../../http/monitoring/logger.js';
import type { PublicAddress } from '../../http/public-address.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import { decideOutcome, isDue, type Outcome } from './delivery.decide.js';
import { deliveryOf } from './delivery.state.js';
import { EmailTemplates, mailedEvents } from './email.js';
import { MailNotSentError, MailTransport } from './mail-transport.js';
import { Reachability } from './reachability.js';
import { mailModel, type WaitingEmailDocument } from './read-model.js';

/** Reads the model of waiting e-mails. */
@Injectable()
export class MailReader {
  constructor(private readonly models: ServingModels) {}

  /**
   * A page of the due e-mails, those that have waited longest first.
   *
   * @param now milliseconds since the UNIX epoch
   */
  async due(now: number, { skip, limit }: DuePage): Promise<readonly WaitingEmailDocument[]> {
    const { name, collections } = mailModel;
    const model = await this.models.get(name, collections);
    const emails = model.collection<WaitingEmailDocument>('letters');
    return emails.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, skip, limit });
  }
}

/** The sender of e-mails. */
export class MailSender {
  constructor(
    /** The configured sender; null: the organization's name, at the server's domain. */
    private readonly configured: string | null,
    private readonly follower: Pick<DirectoryFollower, 'current'>,
    private readonly publicAddress: Pick<PublicAddress, 'domain'>,
  ) {}

  /** `name <address>`. */
  address(): string {
    if (this.configured !== null) return this.configured;
    const name = this.follower.current().organizationName;
    return `"${name.replaceAll(/["\\\p{Cc}]/gu, '')}" <noreply@${this.publicAddress.domain}>`;
  }
}

/** No e-mail can be sent at present. */
class NoMailServerError extends Error {}

/** Whether no e-mail can be sent and recorded at present, so that each run tries only a few. */
function concernsAll(error: unknown): boolean {
  return error instanceof NoMailServerError || isAboutStores(error);
}

/** Few, because a stop waits for the round, and so does what is requested during it. */
const ITEMS_OF_ROUND = 20;

/** How many outcomes are kept that could not be recorded. */
const UNRECORDED = 10_000;

/** Injection token of the logger for failed deliveries. */
export const mailLogger = Symbol('mail logger');

/**
 * Sends due e-mails. They are looked up in the read model; whether one must still be sent is decided on its
 * own stream, where the outcome is recorded too. Whoever causes many, by inviting people say, delays only those.
 */
@Injectable()
@RunsAsJob()
export class DeliverMail implements Job, OnApplicationBootstrap {
  readonly name = 'deliver-mail';
  readonly everyMilliseconds = 500;
  readonly perform = (): Promise<void> => this.deliver();

  private readonly rounds = new DueRounds<WaitingEmailDocument>({
    find: (page) => this.reader.due(this.clock.now(), page),
    keyOf: ({ _id }) => _id,
    ownerOf: ({ owner }) => owner,
    perform: (email) => this.deliverOne(email),
    endsRound: concernsAll,
    itemsOfRound: ITEMS_OF_ROUND,
  });
  private readonly unrecorded = new UnrecordedOutcomes<Attempt>(UNRECORDED);
  private readonly reachability = new Reachability();
  private readonly pause = new FailurePause({ first: 1_000, max: 10_000 }, concernsAll);

  constructor(
    private readonly reader: MailReader,
    private readonly templates: EmailTemplates,
    @Inject(MailTransport) private readonly transport: MailTransport,
    private readonly sender: MailSender,
    private readonly log: EventLog,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
    @Inject(mailLogger) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** @throws Error when an event that needs an e-mail has no template: the server then does not start */
  onApplicationBootstrap(): void {
    const written = new Set(this.templates.occasions);
    const unwritten = mailedEvents.filter(({ type }) => !written.has(type)).map(({ type }) => type);
    if (unwritten.length > 0) throw new Error(`Nobody writes e-mails for ${unwritten.join(', ')}`);
  }

  private async deliver(): Promise<void> {
    try {
      await this.pause.run(() => this.rounds.run());
    } catch (error) {
      // The attempts that showed it are logged and recorded.
      if (!(error instanceof NoMailServerError)) throw error;
    }
  }

  /** @throws NoMailServerError when no e-mail can be sent at present */
  private async deliverOne(waiting: WaitingEmailDocument): Promise<void> {
    const delivery = await this.decisions.load(deliveryOf(waiting._id));
    if (!isDue(delivery, this.clock.now())) return;
    // An attempt that is only recorded now says nothing about the present.
    let isUnreachable = false;
    await this.unrecorded.complete(`${waiting._id} ${delivery.attempts}`, {
      perform: async () => {
        const attempt = await this.attempt(waiting);
        isUnreachable = attempt.isUnreachable === true;
        return attempt;
      },
      record: (outcome) => this.record(waiting, outcome),
    });
    if (isUnreachable) throw new NoMailServerError();
  }

  private async attempt(waiting: WaitingEmailDocument): Promise<Attempt> {
    const { acceptedCount } = this.reachability;
    try {
      const email = await this.templates.write(await this.causeOf(waiting));
      if (email === null) return { type: 'unwanted' };
      const { _id: id, requestedAt: date } = waiting;
      const outgoing = { ...email, id, date, from: this.sender.address() };
      await this.reachability.during(() => this.transport.send(outgoing));
      return { type: 'sent' };
    } catch (error) {
      this.logger.warn({ email: waiting._id, err: error }, 'An e-mail could not be sent');
      if (!(error instanceof MailNotSentError)) return { type: 'failed', reason: 'not written' };
      const { failure, reason } = error;
      if (failure === 'refused') return { type: 'refused', reason };
      const isUnreachable =
        failure === 'unreachable' && !(await this.reachability.hasAcceptedSince(acceptedCount));
      return { type: 'failed', reason, isUnreachable };
    }
  }

  private async record(
    { _id: letterId, requestedAt }: WaitingEmailDocument,
    outcome: Outcome,
  ): Promise<void> {
    const now = this.clock.now();
    const commandId = commandIdOf([this.name, letterId, outcome.type, String(now)]);
    await this.decisions.record(serverMetadata(commandId, now, letterId), deliveryOf(letterId), (delivery) =>
      decideOutcome(delivery, { letterId, outcome }, { requestedAt, now }),
    );
  }

  private async causeOf({ _id: id, stream, revision }: WaitingEmailDocument): Promise<RecordedEvent> {
    const [event] = await this.log.readStream(stream, { from: revision, limit: 1 });
    if (event?.id !== id) throw new Error(`The event ${id} does not stand where its document says`);
    return event;
  }
}

/** An outcome, and whether it affects all e-mails. */
type Attempt = Outcome & { readonly isUnreachable?: boolean };
