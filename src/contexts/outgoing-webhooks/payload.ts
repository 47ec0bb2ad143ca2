import type { User } from '../../access/records/user.js';
import { parseJson } from '../../http/parameters/parse-json.js';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import type { Call } from './calls.state.js';
import type { WebhookRequest } from './webhook-client.js';

/** What a request contains. */
interface Payload {
  readonly call: Pick<Call, 'id' | 'trigger'>;
  readonly bot: User;
  /** The token by which the receiver recognizes the bot's requests. */
  readonly token: string;
  /** The message as in `GET /messages`, with its raw text. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly renderedContent: string;
  /** The server's address. */
  readonly site: string;
}

/** The request of a bot with interface 1: JSON. */
export function jsonRequest({
  call,
  bot,
  token,
  message,
  renderedContent,
}: Payload): Omit<WebhookRequest, 'url'> {
  return {
    headers: headersOf(call, 'application/json'),
    body: JSON.stringify({
      data: message['content'],
      message: { ...message, rendered_content: renderedContent },
      bot_email: bot.email,
      bot_full_name: bot.fullName,
      token,
      trigger: call.trigger,
    }),
  };
}

/**
 * The request of a bot with interface 2: a form in the format of another service, which has only channels.
 */
export function formRequest({ call, bot, token, message, site }: Payload): Omit<WebhookRequest, 'url'> {
  const text = (name: string): string => {
    const value = message[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const form = new URLSearchParams({
    token,
    team_id: `T${ORGANIZATION_NUMBER}`,
    team_domain: new URL(site).hostname,
    channel_id: `C${text('stream_id')}`,
    channel_name: text('display_recipient'),
    thread_ts: text('timestamp'),
    timestamp: text('timestamp'),
    user_id: `U${text('sender_id')}`,
    user_name: text('sender_full_name'),
    text: text('content'),
    trigger_word: call.trigger,
    service_id: String(bot.id),
  });
  return { headers: headersOf(call, 'application/x-www-form-urlencoded'), body: form.toString() };
}

function headersOf({ id }: Pick<Call, 'id'>, type: string): Readonly<Record<string, string>> {
  return { 'content-type': type, 'user-agent': 'PalimpsestOutgoingWebhook', 'webhook-id': id };
}

/** The message that a response requests. */
interface AnsweredText {
  readonly content: string;
  /** Buttons below the text, as unchecked JSON text; null: none. */
  readonly widgetContent: string | null;
}

/** The message that a response requests; null: none. Undefined: the response is invalid. */
export function replyIn(body: string, interfaceType: number): AnsweredText | null | undefined {
  if (body.trim() === '') return null;
  const answer = parsed(body);
  if (typeof answer === 'string') return answer.trim() === '' ? null : undefined;
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const members = answer as Readonly<Record<string, unknown>>;
  if (members['response_not_required'] === true) return null;
  const content = interfaceType === 2 ? members['text'] : (members['content'] ?? members['response_string']);
  if (typeof content !== 'string' || content.trim() === '') return null;
  const widget = interfaceType === 2 ? undefined : members['widget_content'];
  return { content, widgetContent: widget == null ? null : asText(widget) };
}

/** Programs send buttons as JSON, or as JSON text. */
function asText(widget: unknown): string {
  return typeof widget === 'string' ? widget : JSON.stringify(widget);
}

/** Undefined: it is not JSON, or is nested too deeply or has too many values. */
function parsed(body: string): unknown {
  try {
    return parseJson('response', body);
  } catch {
    return undefined;
  }
}
