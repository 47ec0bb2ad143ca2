import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IncomingHttpHeaders } from 'node:http';
import { ZodError } from 'zod';
import { ownersIn } from '../../../access/account-owners.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Caller } from '../../../http/caller.js';
import { parseJson } from '../../../http/parameters/parse-json.js';
import { ApplicationError, failure } from '../../../kernel/errors.js';
import type { Addressee } from '../../messages/sending/recipients.js';
import { SendMessage } from '../../messages/commands/send-message.js';
import type { Integration } from '../integration.js';
import { integrations, isChosen } from '../integrations.js';

/** A request of another program. */
interface Webhook {
  /** The name at the end of the URL. */
  readonly integration: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON. */
  readonly payload: string;
  /** A channel's name or id; undefined: a direct message to the bot's owner. */
  readonly stream: string | undefined;
  /** Undefined: the integration's default. */
  readonly topic: string | undefined;
  /** The kinds of events to accept. Null: all. */
  readonly chosen: { readonly only: readonly string[] | null; readonly except: readonly string[] };
}

/** Sends the content of another program's request as the bot whose key it uses. */
export class TakeWebhook extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly webhook: Webhook,
  ) {
    super();
  }
}

@CommandHandler(TakeWebhook)
export class TakeWebhookHandler implements ICommandHandler<TakeWebhook> {
  constructor(
    private readonly commands: CommandBus,
    private readonly follower: DirectoryFollower,
  ) {}

  /**
   * @throws ApplicationError `notFound` for an unknown integration, `invalidJson`, `invalidPayload` for a
   * payload of another form
   */
  async execute({ caller, webhook }: TakeWebhook): Promise<void> {
    const { integration: name, stream, topic, chosen } = webhook;
    const integration = Object.hasOwn(integrations, name) ? integrations[name] : undefined;
    if (integration === undefined) throw failure('notFound');
    const text = read(integration, webhook);
    if (text === null || !isChosen(text.event, chosen)) return;
    const to = this.addressee(caller, stream, topic ?? printable(text.topic));
    const request = { to, content: text.content, readBySender: false, localEcho: null };
    try {
      await this.commands.execute(new SendMessage(caller, request));
    } catch (error) {
      // The calling program would only retry: it gets a success, and the bot's owner is told what to fix.
      if (!(error instanceof ApplicationError) || error.code !== 'STREAM_DOES_NOT_EXIST') throw error;
    }
  }

  private addressee({ userId }: Caller, stream: string | undefined, topic: string): Addressee {
    if (stream === undefined) return { type: 'direct', people: [ownersIn(this.follower.current())(userId)] };
    return { type: 'channel', channel: /^\d{1,15}$/.test(stream) ? Number(stream) : stream, topic };
  }
}

function read(integration: Integration, { headers, payload }: Webhook): ReturnType<Integration['read']> {
  const header = integration.eventHeader === null ? undefined : headers[integration.eventHeader];
  try {
    return integration.read({
      body: parsed(payload),
      text: payload,
      event: typeof header === 'string' ? header : null,
    });
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const [issue] = error.issues;
    throw failure('invalidPayload', {
      reason: { path: issue?.path.join('.') ?? '', fault: issue?.message ?? '' },
    });
  }
}

function parsed(payload: string): unknown {
  try {
    return parseJson('payload', payload);
  } catch (error) {
    if (error instanceof SyntaxError) throw failure('invalidJson');
    throw error;
  }
}

/** Makes a topic of foreign text: on one line. */
function printable(topic: string): string {
  return topic.replaceAll(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\s]+/gu, ' ').trim();
}
