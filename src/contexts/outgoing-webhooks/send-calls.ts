import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { PerDirectoryState } from '../../access/directory.js';
import type { BotService, User } from '../../access/records/user.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { ApplicationError } from '../../kernel/errors.js';
import { plainMarkdown } from '../../markdown/written-names.js';
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
import { dueCalls, foldedCalls, MAX_RETRIES, openCall, type Call } from './calls.state.js';
import { fairShare } from './fair-share.js';
import { formRequest, jsonRequest, replyIn } from './payload.js';
import { WebhookClient } from './webhook-client.js';

/** Milliseconds: a message that the read model does not have after this time was deleted. */
const MAX_LAG = 60_000;

/** Code points of a response that the bot's owner is shown. */
const SHOWN_OF_ANSWER = 300;

/** Why a call failed. */
interface Failure {
  /** A short description. */
  readonly reason: string;
  /** The response, for the owner only. */
  readonly answer?: string;
}

/** What the result of a call is recorded as; 'interrupted': the next process sends it again. */
type CallResult = Failure | 'OutgoingWebhookAnswered' | 'OutgoingWebhookUnanswered' | 'interrupted';

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
   * run.
   */
  private async startDue(): Promise<void> {
    // Without such bots there are no calls, and the log need not be read.
    if (!this.areThereBots()) return;
    const state = await this.decisions.load(foldedCalls);
    if (state.size > 0) this.start(dueCalls(state, this.clock.now()));
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
    for (const call of fairShare(calls, new Set(this.underWay.keys()), owners)) {
      if (this.ending.signal.aborted) return;
      const sending = this.send(call)
        .catch((error: unknown) => {
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
    const result = await this.deliver(call, sendable);
    if (typeof result !== 'string') return this.fail(call, { ...sendable, failure: result });
    if (result !== 'interrupted') await this.record(call, { type: result });
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

  private async deliver(call: Call, sendable: SendableCall): Promise<CallResult> {
    const { service, message } = sendable;
    if (service.interface === 2 && message.document.channelId === null) {
      return { reason: 'its interface knows no direct messages' };
    }
    const outcome = await this.client.post(this.requestFor(call, sendable), this.ending.signal);
    if (this.ending.signal.aborted) return 'interrupted';
    if (outcome.kind === 'refused') return outcome;
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
    { bot, message, failure }: Omit<SendableCall, 'service'> & { readonly failure: Failure },
  ): Promise<void> {
    const { reason, answer } = failure;
    const to = recipientOf(message.document);
    await this.replies.say(call, bot, { to, content: `Failure! ${capitalized(reason)}.` });
    const owner = ownerOfBot(this.follower.current(), bot);
    if (owner?.isActive === true) {
      const shown = answer === undefined ? '' : [...answer].slice(0, SHOWN_OF_ANSWER).join('');
      const content =
        `Message ${call.messageId} could not be sent to where your bot ${plainMarkdown(bot.fullName)} is: ${reason}.` +
        (shown.trim() === '' ? '' : ` The answer: ${plainMarkdown(shown)}`);
      await this.notices.send({ to: { userIds: [owner.id] }, content, causationId: call.id });
    }
    await this.record(call, { type: 'OutgoingWebhookFailed', reason });
  }

  private async record(
    call: Call,
    outcome:
      | { readonly type: 'OutgoingWebhookAnswered' | 'OutgoingWebhookUnanswered' }
      | { readonly type: 'OutgoingWebhookFailed'; readonly reason: string },
  ): Promise<void> {
    const { messageId, botId } = call;
    const event: OutgoingWebhookEvent =
      outcome.type === 'OutgoingWebhookFailed'
        ? { type: outcome.type, data: { messageId, botId, reason: outcome.reason } }
        : { type: outcome.type, data: { messageId, botId } };
    const metadata = serverMetadata(randomCommandId(), this.clock.now(), call.id);
    // Another process may have finished the call meanwhile.
    await this.decisions.decideAs(metadata, foldedCalls, (calls) =>
      openCall(calls, call)?.id === call.id ? [event] : [],
    );
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
