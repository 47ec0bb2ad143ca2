import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { ProjectionHost } from '../../projections/engine/projection-host.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import { ActsOrdered } from '../../src/operations/elsewhere/acts-ordered.js';
import { ActsTaken } from '../../src/operations/elsewhere/acts-taken.js';
import { carryOut } from '../../src/operations/elsewhere/acts.js';
import {
  ReportedStates,
  StateReporter,
  type KeptState,
  type KeptStateSignal,
} from '../../src/operations/elsewhere/kept-state.js';
import { SharedOperations } from '../../src/operations/elsewhere/shared-operations.js';
import { ProjectionOperations } from '../../src/operations/projection-operations.js';
import type { OutgoingSignal, SignalExchange } from '../../src/realtime/signals/signal-exchange.js';
import { standIn } from '../support/stand-in.js';

/** Signals that arrive at once, at every process but the one that sends them. */
class Wire {
  readonly ends: WireEnd[] = [];
  /** What was sent, to be sent again. */
  readonly sent: OutgoingSignal[] = [];
}

class WireEnd {
  private readonly receivers = new Map<string, (signal: never) => void>();
  /** The signals that are not passed on. */
  isCut = false;

  constructor(private readonly wire: Wire) {
    wire.ends.push(this);
  }

  send(signal: OutgoingSignal): void {
    if (this.isCut) return;
    this.wire.sent.push(signal);
    for (const end of this.wire.ends) if (end !== this) end.get(signal);
  }

  get({ content }: OutgoingSignal): void {
    this.receivers.get(content.type)?.(content as never);
  }

  receive(type: string, receive: (signal: never) => void): void {
    this.receivers.set(type, receive);
  }

  get signals(): SignalExchange {
    return standIn<SignalExchange>(this);
  }
}

const nothing: Omit<ModelStatus, 'projection'> = {
  ...{ state: null, version: null, position: null, lagMilliseconds: 0, servedPosition: null },
  ...{ unseenMilliseconds: 0, stoppage: null, events: 0, eventsPerSecond: 0 },
};

function model(projection: string, over: Partial<ModelStatus> = {}): ModelStatus {
  return { ...nothing, projection, ...over };
}

function reactor(over: Partial<ReactorStatus> = {}): ReactorStatus {
  const standby = {
    state: 'standby',
    position: null,
    types: [],
    stoppedMilliseconds: 0,
    stoppage: null,
  } as const;
  return { reactor: 'send-mails', ...standby, ...over };
}

let wire: Wire;
let now: number;
let paused: [string, boolean][];
let retried: string[];

beforeEach(() => {
  wire = new Wire();
  now = 0;
  paused = [];
  retried = [];
});

const host = standIn<ProjectionHost>({
  setPaused: (name: string, isPaused: boolean) => Promise.resolve(void paused.push([name, isPaused])),
  builds: {
    progress: () => [],
    rebuild: (name: string, { onProgress }: { onProgress: (progress: object) => void }) => {
      onProgress({ projection: name, events: 7, position: 6 });
      return name === 'flags' ? Promise.reject(new Error('flags stops at an event')) : Promise.resolve(3);
    },
  },
});

interface Kept {
  readonly models?: readonly ModelStatus[];
  readonly reactor?: ReactorStatus;
  readonly host?: ProjectionHost | null;
}

/** A process without stores. */
class Process {
  readonly end = new WireEnd(wire);
  readonly operations: SharedOperations;
  private readonly states = new ReportedStates(() => now);
  private readonly reporter: StateReporter;
  private readonly kept: KeptState;

  constructor(
    readonly name: string,
    { models = [model('messages'), model('flags')], reactor: one = reactor(), host: own = null }: Kept = {},
  ) {
    this.kept = { models, builds: [], reactors: [one] };
    const { signals } = this.end;
    this.reporter = new StateReporter(signals, name, () => now);
    signals.receive<KeptStateSignal>('kept-state', (report) => this.states.take(report));
    const runner = standIn<ReactorRunner>({
      name: 'send-mails',
      status: () => one,
      retry: () => void retried.push('send-mails'),
    });
    const options = standIn<ConstructorParameters<typeof ProjectionOperations>[0]>({
      stores: {
        eventStore: { head: () => Promise.resolve(9) },
        readStore: { openModel: () => Promise.resolve(noSettings) },
      },
      projections: ['messages', 'flags'].map((projection) => standIn<Projection>({ name: projection })),
      positions: standIn<ModelPositions>({ status: () => models }),
      host: own,
      reactors: () => [runner],
    });
    const here = new ProjectionOperations(options);
    new ActsTaken({
      signals,
      self: name,
      carryOut: (act, report) => carryOut(here, act, report),
      logger: silentLogger,
    });
    this.operations = new SharedOperations(options, { states: this.states, acts: new ActsOrdered(signals) });
  }

  report(): void {
    this.reporter.report(this.kept);
  }
}

const noSettings = { isRemoved: () => false, collection: () => ({ find: () => Promise.resolve([]) }) };

const stoppage = { reason: 'It has no tag', event: { id: 'e', type: 'Sent', stream: 's', position: 5 } };
const live = [
  model('messages', { state: 'live', position: 9 }),
  model('flags', { state: 'halted', stoppage }),
];

afterEach(() => {
  jest.useRealTimers();
});

describe('What another process keeps', () => {
  it('is known as it reported it, until the report expires', () => {
    const asking = new Process('api');
    const keeping = new Process('projector', { models: live, reactor: reactor({ state: 'acting' }), host });
    expect(asking.operations.models().map(({ state }) => state)).toEqual([null, null]);
    keeping.report();
    expect(asking.operations.models()).toMatchObject([
      { projection: 'messages', state: 'live', position: 9, isElsewhere: true },
      { projection: 'flags', state: 'halted', stoppage, isElsewhere: true },
    ]);
    expect(asking.operations.reactorStatuses()).toMatchObject([{ state: 'acting' }]);
    now = 15_000;
    expect(asking.operations.models().map(({ state }) => state)).toEqual([null, null]);
    expect(asking.operations.reactorStatuses()).toMatchObject([{ state: 'standby' }]);
  });

  it('is reported when it changes, and otherwise every five seconds; nothing is not reported', () => {
    const keeping = new Process('projector', { models: live, host });
    keeping.report();
    now = 4_999;
    keeping.report();
    expect(wire.sent).toHaveLength(1);
    now = 5_000;
    keeping.report();
    expect(wire.sent).toHaveLength(2);
    new Process('api').report();
    expect(wire.sent).toHaveLength(2);
  });

  it('is what it keeps, not what it waits to take over', () => {
    const asking = new Process('api');
    new Process('second', {
      models: live.map((one) => ({ ...one, state: 'standby' as const })),
      host,
    }).report();
    expect(asking.operations.models().map(({ state }) => state)).toEqual([null, null]);
    expect(() => asking.operations.assertPossible('pause', 'messages')).toThrow(/keeps no read models/);
  });

  it('does not replace what this process knows of its own models', () => {
    const own = new Process('one', { models: [model('messages', { state: 'paused' })], host });
    new Process('other', { models: live, host }).report();
    expect(own.operations.models()).toMatchObject([{ state: 'paused', isElsewhere: false }]);
  });
});

describe('Acts on what another process keeps', () => {
  let asking: Process;
  let keeping: Process;

  beforeEach(() => {
    asking = new Process('api');
    keeping = new Process('projector', {
      models: live,
      reactor: reactor({ state: 'halted', stoppage }),
      host,
    });
    keeping.report();
  });

  it('are carried out there, and answered with the result', async () => {
    asking.operations.assertPossible('pause', 'messages');
    await asking.operations.setPaused('messages', true);
    await asking.operations.setPaused('messages', false);
    expect(paused).toEqual([
      ['messages', true],
      ['messages', false],
    ]);
    expect(await asking.operations.rebuild(['messages'], null, () => undefined)).toEqual([
      { projection: 'messages', version: 3 },
    ]);
    const letter = { projection: 'reactor:send-mails', id: null };
    expect(await asking.operations.retry(letter)).toEqual(stoppage.event);
    expect(retried).toEqual(['send-mails']);
  });

  it('that fail are answered with the reason', async () => {
    const rebuilding = asking.operations.rebuild(['flags'], null, () => undefined);
    await expect(rebuilding).rejects.toThrow('flags stops at an event');
    await expect(asking.operations.retry({ projection: 'messages', id: null })).rejects.toThrow(
      'messages is not halted at an event.',
    );
  });

  it('are carried out once if the order comes twice, and not by a process of another name', async () => {
    await asking.operations.setPaused('messages', true);
    const ordered = wire.sent.find(({ content }) => content.type === 'act')!;
    keeping.end.get(ordered);
    const restarted = new Process('projector, started again', { models: live, host });
    restarted.end.get(ordered);
    expect(paused).toEqual([['messages', true]]);
  });

  it('expire, and are answered by a refusal when that process does not answer', async () => {
    jest.useFakeTimers();
    keeping.end.isCut = true;
    const pausing = asking.operations.setPaused('messages', true);
    const refused = expect(pausing).rejects.toThrow(
      /^The process that keeps messages has not answered for 20 s/,
    );
    jest.advanceTimersByTime(20_000);
    await refused;
    expect(wire.sent.find(({ content }) => content.type === 'act')).toMatchObject({ lifetime: 10_000 });
  });

  it('are refused for a name that nobody has', () => {
    expect(() => asking.operations.assertPossible('pause', 'mesages')).toThrow(/There is no projection/);
    expect(() => asking.operations.assertPossible('rollback', 'reactor:send-mails')).toThrow(
      /There is no projection/,
    );
    asking.operations.assertPossible('discard', 'reactor:send-mails');
  });
});
