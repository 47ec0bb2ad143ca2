import type { ReceivedReply } from '../../support/api-document.js';
import { CommandLine } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';
import { Outbox } from '../../support/outbox.js';
import { describedLetter, describedReply, describedRequest } from './descriptions.js';
import { KeptValues } from './kept-values.js';
import { Placeholders } from './placeholders.js';
import { prettyJson } from './pretty-json.js';
import { untilQuiet } from './quiet.js';
import { SessionClient, type Answer } from './session-client.js';
import type { SessionServer } from './session-server.js';
import { RequestStep, type ActorName, type LetterStep, type Parameters, type Step } from './steps.js';
import { ToldEvents, type ClientEvent } from './told-events.js';
import { writtenLog } from './written-log.js';

/** How often a request is sent if the server answers that it is unavailable. */
const MAX_ATTEMPTS = 50;

/** Executes the steps of a session, and records the replies. */
export class Recorder {
  private readonly kept: KeptValues;
  private readonly client: SessionClient;
  private readonly outbox: Outbox;
  private readonly tool: CommandLine;
  private readonly placeholders: Placeholders;
  private readonly queues = new Map<ActorName, ToldEvents>();
  /** Every request that was answered, with its reply. */
  readonly sent: ReceivedReply[] = [];
  /** All client events. */
  readonly told: ClientEvent[] = [];

  constructor(session: SessionServer) {
    const { site, directory } = session.server;
    this.kept = new KeptValues(session.kept());
    this.client = new SessionClient(site, this.kept);
    this.outbox = new Outbox(directory);
    this.tool = new CommandLine({ DATA_DIR: directory });
    this.placeholders = new Placeholders(session.texts());
  }

  /** Sets the server's clock to a number of seconds after its start, regardless of the number of requests before. */
  moveClock(seconds: number): Promise<void> {
    return this.client.moveClock(seconds);
  }

  /** The request and the reply of a step, as text. */
  async record(step: Step): Promise<string> {
    return step.kind === 'letter' ? this.recordLetter(step) : this.recordRequest(step);
  }

  /**
   * The client events of an actor, up to the change of the organization's description. The queue must be kept as
   * `adaQueue` for `ada`.
   */
  async recordToldUntil(actor: ActorName, description: string): Promise<string> {
    const queue = this.queues.get(actor) ?? new ToldEvents((last) => this.eventsOf(actor, last));
    this.queues.set(actor, queue);
    const events = await queue.until((event) => JSON.stringify(event).includes(description));
    this.told.push(...events);
    const lines = events.map((event) => this.placeholders.apply(prettyJson(event)));
    return [`=== ${actor} is told`, ...lines].join('\n');
  }

  /** The reply of an operation to a request without credentials and parameters, in one line. */
  async recordNobody(verb: string, path: string): Promise<string> {
    const { response, body } = await this.client.sendNothing(verb, path.replaceAll(/\{\w+\}/g, '1'));
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    // A reply to HEAD has headers like one to GET, but no body.
    const { code = '', msg = '' } =
      isJson && body.length > 0
        ? (JSON.parse(body.toString()) as { readonly code?: string; readonly msg?: string })
        : {};
    return [verb, path, response.status, code, msg].filter((part) => part !== '').join(' ');
  }

  /** The output of a command, and its exit code. */
  async recordCommand(words: readonly string[]): Promise<string> {
    const filled = words.map((word) => String(this.kept.fill(word)));
    const { code, stdout, stderr } = await this.tool.run(...filled);
    // A successful command may write progress to the error output, which varies.
    const printed = code === 0 ? stdout : `${stdout}--- error output\n${stderr}`;
    const text = this.placeholders.apply(withoutPositions(printed.trimEnd()));
    return [`=== palimpsest ${words.join(' ')}`, `--- ${code}`, text].join('\n');
  }

  /** The events of the session in the log. */
  async recordLog(): Promise<string> {
    return this.placeholders.apply(await writtenLog(this.tool));
  }

  private async recordRequest(step: RequestStep): Promise<string> {
    const answer = await this.answer(step);
    const { verb, kept } = step;
    const text = answer.body.toString();
    const { status, headers } = answer.response;
    this.sent.push({
      verb,
      path: this.client.pathOf(step),
      status,
      type: headers.get('content-type'),
      text,
    });
    for (const [name, place] of Object.entries(kept)) {
      this.kept.keep(name, typeof place === 'string' ? memberOf(text, place) : place.exec(text)?.[1], text);
    }
    if (verb !== 'GET' && answer.response.status === 200) await untilQuiet(this.client.site);
    const reply = this.placeholders.apply(describedReply(answer, step.isBrief));
    return [describedRequest(step), reply].join('\n');
  }

  private async recordLetter({ to, earlier, kept }: LetterStep): Promise<string> {
    const email = await this.outbox.emailTo(to, earlier + 1);
    await untilQuiet(this.client.site);
    const { text = '' } = email;
    for (const [name, pattern] of Object.entries(kept)) this.kept.keep(name, pattern.exec(text)?.[1], text);
    return this.placeholders.apply(describedLetter(to, email));
  }

  /** The reply to a step, after the member that it waits for has the expected value. */
  private async answer(step: RequestStep): Promise<Answer> {
    const { awaited } = step;
    const first = await this.send(step);
    if (awaited === undefined) return first;
    const [path, value] = awaited;
    const isAwaited = ({ body }: Answer): boolean =>
      JSON.stringify(memberOf(body.toString(), path)) === JSON.stringify(value);
    if (isAwaited(first)) return first;
    return eventually(() => this.client.send(step, 0), isAwaited);
  }

  /** Sends a request, and repeats it while the server refuses it because it lags behind the log. */
  private async send(step: RequestStep): Promise<Answer> {
    let answer = await this.client.send(step, step.seconds);
    for (let attempt = 1; answer.response.status === 503 && attempt < MAX_ATTEMPTS; attempt += 1) {
      await untilQuiet(this.client.site);
      answer = await this.client.send(step, 0);
    }
    return answer;
  }

  private async eventsOf(actor: ActorName, last_event_id: number): Promise<readonly ClientEvent[]> {
    const queue = { queue_id: `$${actor}Queue`, last_event_id, dont_block: true };
    const { body } = await this.client.send(new RequestStep(actor, 'GET', 'events', queue), 0);
    return (JSON.parse(body.toString()) as { readonly events: readonly ClientEvent[] }).events;
  }
}

/** Removes log positions and numbers of events: they depend on events that are appended at no fixed time. */
function withoutPositions(text: string): string {
  return text
    .replaceAll(/\bposition \d+/g, 'position …')
    .replaceAll(/\d+ (events|are)\b/g, '… $1')
    .replaceAll(/(?<=the log up to )[^\s,]+/g, '…')
    .replaceAll(/^ +\d+ {2}/gm, '… ');
}

/** A member of a reply by its path of names and indexes: `messages.0.id`. */
function memberOf(text: string, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Parameters | undefined)?.[name], JSON.parse(text));
}
