/** Who sends requests; what each is and may do is arranged by the session itself, from the first request on. */
export type ActorName = 'owner' | 'ada' | 'bo' | 'guest' | 'bot' | 'nobody';

type Verb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** Values by name. `$name` in them stands for what an earlier step kept under that name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A file that is sent in a form. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What is sent beside the parameters, or instead of them. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: SentFile;
  /** Sent as it is, instead of parameters. */
  readonly body?: { readonly type: string; readonly text: string };
}

/** By name: the path to a member of the reply (`message.id`), or a pattern whose first group is looked for in all of it. */
export type Kept = Readonly<Record<string, string | RegExp>>;

/** One request of a recorded session. */
export class RequestStep {
  readonly kind = 'request';

  constructor(
    readonly actor: ActorName,
    readonly verb: Verb,
    /** Below `/api/v1/`, unless it begins with a slash. */
    readonly path: string,
    readonly parameters: Parameters = {},
    readonly options: SendOptions = {},
    readonly kept: Kept = {},
    /** How much time passes before the request: so little, in all parts but the last, that nothing comes due. */
    readonly seconds: number = 0,
    /** The member of the reply that is waited for, by its path, and its value; absent: whatever is answered first. */
    readonly awaited?: readonly [path: string, value: unknown],
    /** Whether the body of the reply is recorded by its size and hash alone. */
    readonly isBrief: boolean = false,
  ) {}

  /** Keeps something of the reply for later steps: after `keep({ note: 'message.id' })`, `$note` stands for that id. */
  keep(kept: Kept): RequestStep {
    return this.with({ kept: { ...this.kept, ...kept } });
  }

  /** Lets time pass before the request. */
  after(seconds: number): RequestStep {
    return this.with({ seconds });
  }

  /** Sends the request again until a member of the reply is what is wanted: for what the server does in its own time. */
  until(path: string, value: unknown): RequestStep {
    return this.with({ awaited: [path, value] });
  }

  /** Records of the body of the reply only its size and hash: it is large, and always the same. */
  briefly(): RequestStep {
    return this.with({ isBrief: true });
  }

  private with(changes: Partial<Pick<RequestStep, 'kept' | 'seconds' | 'awaited' | 'isBrief'>>): RequestStep {
    const { kept, seconds, awaited, isBrief } = { ...this, ...changes };
    const { actor, verb, path, parameters, options } = this;
    return new RequestStep(actor, verb, path, parameters, options, kept, seconds, awaited, isBrief);
  }
}

/** A letter that must have come; the first group of each pattern, found in its text, is kept under that name. */
export interface LetterStep {
  readonly kind: 'letter';
  readonly to: string;
  /** How many letters came to the address before it. */
  readonly earlier: number;
  readonly kept: Readonly<Record<string, RegExp>>;
}

export type Step = RequestStep | LetterStep;

/** A chapter of the session, recorded in a golden file of its own. */
export interface Part {
  /** Names the file. */
  readonly name: string;
  /** Whether nobody is left whose events could be read when it ends. */
  readonly leavesQueues?: boolean;
  readonly steps: readonly Step[];
}

/** Makes the requests of one actor. */
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

/** A request with any verb, for those that few operations have. */
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

/** Waits for a letter; see {@link LetterStep}. */
export function letter(to: string, kept: Readonly<Record<string, RegExp>> = {}, earlier = 0): LetterStep {
  return { kind: 'letter', to, earlier, kept };
}
