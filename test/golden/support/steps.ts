/**
 * The sender of a request. The session itself sets up the actors and their permissions, starting with the first
 * request.
 */
export type ActorName = 'owner' | 'ada' | 'bo' | 'guest' | 'bot' | 'nobody';

type Verb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** Values by name. `$name` in them is replaced by the value that an earlier step kept with this name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A file in a form. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What is sent besides the parameters, or instead of them. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: SentFile;
  /** A body that is sent unchanged, instead of parameters. */
  readonly body?: { readonly type: string; readonly text: string };
}

/**
 * By name: the path to a member of the reply (`message.id`), or a pattern that is matched with the whole reply and
 * whose first group is kept.
 */
export type Kept = Readonly<Record<string, string | RegExp>>;

/** One request of a recorded session. */
export class RequestStep {
  readonly kind = 'request';

  constructor(
    readonly actor: ActorName,
    readonly verb: Verb,
    /** Relative to `/api/v1/`, unless it begins with a slash. */
    readonly path: string,
    readonly parameters: Parameters = {},
    readonly options: SendOptions = {},
    readonly kept: Kept = {},
    /**
     * How far the clock is advanced before the request. In all parts except the last it is so little that nothing
     * becomes due.
     */
    readonly seconds: number = 0,
    /** The path of a member of the reply and the value to wait for; absent: the first reply is recorded. */
    readonly awaited?: readonly [path: string, value: unknown],
    /** Whether only the size and the hash of the reply's body are recorded. */
    readonly isBrief: boolean = false,
  ) {}

  /**
   * Keeps a value of the reply for later steps: after `keep({ note: 'message.id' })`, `$note` is replaced by that
   * id.
   */
  keep(kept: Kept): RequestStep {
    return this.with({ kept: { ...this.kept, ...kept } });
  }

  /** Advances the clock before the request. */
  after(seconds: number): RequestStep {
    return this.with({ seconds });
  }

  /** Repeats the request until a member of the reply has a value: for work that the server does asynchronously. */
  until(path: string, value: unknown): RequestStep {
    return this.with({ awaited: [path, value] });
  }

  /** Records only the size and the hash of the reply's body, which is large and always the same. */
  briefly(): RequestStep {
    return this.with({ isBrief: true });
  }

  private with(changes: Partial<Pick<RequestStep, 'kept' | 'seconds' | 'awaited' | 'isBrief'>>): RequestStep {
    const { kept, seconds, awaited, isBrief } = { ...this, ...changes };
    const { actor, verb, path, parameters, options } = this;
    return new RequestStep(actor, verb, path, parameters, options, kept, seconds, awaited, isBrief);
  }
}

/** Waits for an e-mail. The first group of each pattern is matched in its text and kept with the pattern's name. */
export interface LetterStep {
  readonly kind: 'letter';
  readonly to: string;
  /** How many e-mails the address received before this one. */
  readonly earlier: number;
  readonly kept: Readonly<Record<string, RegExp>>;
}

export type Step = RequestStep | LetterStep;

/** A part of the session, recorded in a separate golden file. */
export interface Part {
  /** The name of the golden file. */
  readonly name: string;
  /** Whether at the end no event queue is left to read client events from. */
  readonly leavesQueues?: boolean;
  readonly steps: readonly Step[];
}

/** Creates the requests of one actor. */
class Actor {
  constructor(private readonly name: ActorName) {}

  get(path: string, parameters?: Parameters, options?: SendOptions): RequestStep {
    return new RequestStep(this.name, 'GET', path, parameters, options);
  }

  post(path: string, parameters?: Parameters, options?: SendOptions): RequestStep {
    return new RequestStep(this.name, 'POST', path, parameters, options);
  }

  patch(path: string, parameters?: Parameters, options?: SendOptions): RequestStep {
    return new RequestStep(this.name, 'PATCH', path, parameters, options);
  }

  put(path: string, parameters?: Parameters, options?: SendOptions): RequestStep {
    return new RequestStep(this.name, 'PUT', path, parameters, options);
  }

  delete(path: string, parameters?: Parameters, options?: SendOptions): RequestStep {
    return new RequestStep(this.name, 'DELETE', path, parameters, options);
  }
}

/** A request with any verb, for verbs that few operations have. */
export function request(
  actor: ActorName,
  verb: Verb,
  [path, options = {}]: readonly [path: string, options?: SendOptions],
): RequestStep {
  return new RequestStep(actor, verb, path, {}, options);
}

export const owner = new Actor('owner');
export const ada = new Actor('ada');
export const bo = new Actor('bo');
export const guest = new Actor('guest');
export const bot = new Actor('bot');
export const nobody = new Actor('nobody');

/** Waits for an e-mail; see {@link LetterStep}. */
export function letter(to: string, kept: Readonly<Record<string, RegExp>> = {}, earlier = 0): LetterStep {
  return { kind: 'letter', to, earlier, kept };
}
