import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { FailurePause, ItemRetries } from '../../../projections/engine/pause.js';
import { isAboutStores } from '../../../projections/engine/poison-event.js';
import { UnrecordedOutcomes } from '../../../projections/engine/unrecorded-outcomes.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { PerDirectoryState } from '../../access/directory.js';
import type { BotService, User } from '../../access/records/user.js';
import { ApplicationError } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { NoticeSender } from '../channels/notices.js';
import { htmlOf, recipientOf } from '../messages/message-document.js';
import { MessageReader } from '../messages/message-reader.js';
import { PublicAddress } from '../../http/public-address.js';
import { Credentials } from '../users/credentials.js';
import { sharedText } from '../messages/view/write-message.js';
import type { CachedMessage } from '../messages/view/cached-message.js';
import { BotReplies } from './bot-replies.js';
import { ownerOfBot, ownersIn } from '../../access/account-owners.js';
import { decideFinishCall, type CallOutcome } from './calls.decide.js';
import { dueCalls, foldedCalls, MAX_RETRIES, type Call } from './calls.state.js';
import { textForOwner, textForWriter, type CallFailure } from './failure-texts.js';
import { fairShare } from './fair-share.js';
import { formRequest, jsonRequest, replyIn } from './payload.js';
import { WebhookClient, type WebhookOutcome } from './webhook-client.js';

/** Milliseconds: a message that the read model does not have after this time was deleted. */
const MAX_LAG = 60_000;

/** How many responses are kept that could not be recorded: each may be as long as a response may be. */
const UNRECORDED = 500;

/** What the result of a call is recorded as. */
type CallResult = CallFailure | 'OutgoingWebhookAnswered' | 'OutgoingWebhookUnanswered';

interface SendableCall {
  readonly bot: User;
  readonly service: BotService;
  readonly message: CachedMessage;
}

/** Sends messages to the URLs of outgoing webhook bots, each at least once, and posts the responses. */
@Injectable()
@RunsAsJob()
export class SendCalls implements Job, OnModuleDestroy {
  readonly name = 'send-outgoing-webhooks';
  readonly everyMilliseconds = 250;
  readonly perform = (): Promise<void> => this.startDue();

  private readonly underWay = new Map<number, Promise<void>>();
  private readonly ending = new AbortController();
  private readonly faults: Error[] = [];
  private readonly unrecorded = new UnrecordedOutcomes<WebhookOutcome>(UNRECORDED);
  private readonly pause = new FailurePause({ first: 1_000, max: 10_000 }, isAboutStores);
  /** Of calls that failed for other reasons: one of them must not be sent again and again. */
  private readonly retries = new ItemRetries();
  private readonly haveBots = new PerDirectoryState<boolean>();

  constructor(
    private readonly client: WebhookClient,
    private readonly replies: BotReplies,
    private readonly notices: NoticeSender,
    private readonly messages: MessageReader,
    private readonly credentials: Credentials,
    private readonly address: PublicAddress,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Calls that are interrupted are sent again by the next process. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.underWay.values());
  }

  /**
   * Sends due calls without waiting for the responses; calls that become due meanwhile are sent by the next
   * run. While their results cannot be recorded, it pauses.
   */
  private async startDue(): Promise<void> {
    // Without such bots there are no calls, and the log need not be read.
    if (!this.areThereBots()) return;
    if (this.pause.isOver) {
      const state = await this.decisions.load(foldedCalls);
      if (state.size > 0) this.start(dueCalls(state, this.clock.now()));
    }
    const [fault] = this.faults.splice(0);
    if (fault !== undefined) throw fault;
  }

  private areThereBots(): boolean {
    const directory = this.follower.current();
    return this.haveBots.of(directory, () =>
      [...directory.users()].some(({ bot }) => bot?.service !== undefined),
    );
  }

  private start(calls: readonly Call[]): void {
    const owners = ownersIn(this.follower.current());
    const ready = calls.filter(({ id }) => !this.retries.isWaiting(id));
    for (const call of fairShare(ready, new Set(this.underWay.keys()), owners)) {
      if (this.ending.signal.aborted) return;
      const sending = this.send(call)
        .then(() => {
          this.retries.noteSuccess(call.id);
        })
        .catch((error: unknown) => {
          this.pause.noteFailure(error);
          if (!isAboutStores(error)) this.retries.noteFailure(call.id);
          this.faults.push(error instanceof Error ? error : new Error(String(error)));
        })
        .finally(() => this.underWay.delete(call.botId));
      this.underWay.set(call.botId, sending);
    }
  }

  private async send(call: Call): Promise<void> {
    const sendable = await this.sendable(call);
    if (sendable === null) return;
    if (typeof sendable === 'string') {
      return this.record(call, { type: 'OutgoingWebhookFailed', reason: sendable });
    }
    await this.unrecorded.complete(`${call.id} ${call.unanswered}`, {
      perform: () => this.post(call, sendable),
      record: (outcome) => this.finish(call, sendable, outcome),
    });
  }

  /** What is sent; a text: why it never can be; null: the read model does not have the message yet. */
  private async sendable(call: Call): Promise<SendableCall | string | null> {
    const bot = this.follower.current().user(call.botId);
    const service = bot?.bot?.service;
    if (bot?.isActive !== true || service === undefined || service.baseUrl === '') return 'the bot is gone';
    const message = (await this.messages.cached([call.messageId])).get(call.messageId);
    if (message === undefined) {
      return this.clock.now() - call.requestedAt < MAX_LAG ? null : 'the message is gone';
    }
    // Neither the bot nor its owner may be told of what is said where the message is now.
    if (message.document.arrival !== 0) return 'the message was moved to another channel';
    return { bot, service, message };
  }

  /** Null: it was interrupted, and the next process sends it again. */
  private async post(call: Call, sendable: SendableCall): Promise<WebhookOutcome | null> {
    const { service, message } = sendable;
    if (service.interface === 2 && message.document.channelId === null) {
      return { kind: 'refused', reason: 'its interface knows no direct messages' };
    }
    const outcome = await this.client.post(this.requestFor(call, sendable), this.ending.signal);
    return this.ending.signal.aborted ? null : outcome;
  }

  /** May be repeated: a message that was sent before is not sent again. */
  private async finish(call: Call, sendable: SendableCall, outcome: WebhookOutcome): Promise<void> {
    const result = await this.resultOf(call, sendable, outcome);
    if (typeof result !== 'string') return this.fail(call, { ...sendable, failure: result });
    await this.record(call, { type: result });
  }

  private async resultOf(call: Call, sendable: SendableCall, outcome: WebhookOutcome): Promise<CallResult> {
    if (outcome.kind === 'refused') return { reason: outcome.reason };
    if (outcome.kind === 'answered') return this.postReply(call, sendable, outcome);
    return call.unanswered < MAX_RETRIES ? 'OutgoingWebhookUnanswered' : { reason: 'nobody answered' };
  }

  private async postReply(
    call: Call,
    { bot, service, message }: SendableCall,
    { status, body: answer }: { readonly status: number; readonly body: string },
  ): Promise<CallResult> {
    if (status < 200 || status >= 300) return { reason: `status ${status}`, answer };
    const reply = replyIn(answer, service.interface);
    if (reply === undefined) return { reason: 'the answer is none', answer };
    try {
      if (reply !== null) await this.replies.say(call, bot, { to: recipientOf(message.document), ...reply });
    } catch (error) {
      if (!(error instanceof ApplicationError)) throw error;
      return { reason: 'the bot may not say what was answered', answer: error.message };
    }
    return 'OutgoingWebhookAnswered';
  }

  private requestFor(
    call: Call,
    { bot, service, message }: SendableCall,
  ): Parameters<WebhookClient['post']>[0] {
    const snapshot = this.decisions.snapshot();
    const format = { snapshot, applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: true };
    const payload = {
      call,
      bot,
      token: this.credentials.serviceToken(bot.id),
      message: JSON.parse(`${sharedText(message, format)}}`) as Record<string, unknown>,
      renderedContent: htmlOf(message.document),
      site: this.address.url,
    };
    return {
      url: service.baseUrl,
      ...(service.interface === 2 ? formRequest(payload) : jsonRequest(payload)),
    };
  }

  /**
   * Notifies the person who wrote and the bot's owner before the failure is recorded: after an interruption
   * it is repeated, but each notice is sent only once.
   */
  private async fail(
    call: Call,
    { bot, message, failure }: Omit<SendableCall, 'service'> & { readonly failure: CallFailure },
  ): Promise<void> {
    const to = recipientOf(message.document);
    await this.replies.say(call, bot, { to, content: textForWriter(failure) });
    const owner = ownerOfBot(this.follower.current(), bot);
    if (owner?.isActive === true) {
      const content = textForOwner(call.messageId, bot.fullName, failure);
      await this.notices.send({ to: { userIds: [owner.id] }, content, causationId: call.id });
    }
    await this.record(call, { type: 'OutgoingWebhookFailed', reason: failure.reason });
  }

  private async record(call: Call, outcome: CallOutcome): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now(), call.id);
    await this.decisions.record(metadata, foldedCalls, (calls) => decideFinishCall(calls, call, outcome));
    this.pause.noteSuccess();
  }
}
