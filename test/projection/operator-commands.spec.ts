import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { silentLogger } from '../../projections/engine/logger.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { EngineTiming } from '../../projections/engine/timing.js';
import { OperatorError } from '../../src/kernel/errors.js';
import { ProjectionOperations } from '../../src/operations/projection-operations.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { ServingModels } from '../../src/stores/read-store/serving-models.js';
import { eventually } from '../support/eventually.js';
import { withHandler, type TotalsDocument } from './support/accounts.projection.js';
import { quickTiming } from './support/building.js';
import { launchHere } from './support/launch-here.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';

/** What an operator does, in one of the processes, and what happens in between. */
interface Step {
  readonly command: Command;
  /** Which process is asked. */
  readonly process: 0 | 1;
}
const commands = [
  'write',
  'poison',
  'rebuild',
  'rollback',
  'drop',
  'pause',
  'resume',
  'retry',
  'discard',
  'restore',
  'erase-person',
] as const;
type Command = (typeof commands)[number];

/** What people would expect of a model that is written, poisoned and operated on. */
class Expected {
  /** Accounts that were opened. */
  written = 0;
  /** How many of them were opened before the event that cannot be applied; null: there is none. */
  private poisoned: number | null = null;
  private paused = false;
  /** Whether there is a version to roll back to. */
  private kept = false;
  private discarded = 0;
  /** Whether a build is halted at the event, and whether it is a rebuild, which goes on by itself. */
  private stopped: 'rollback' | 'rebuild' | null = null;
  /** Accounts that whoever reads finds. */
  visible = 0;

  /** Answers whether the command is done, rather than refused. */
  take(command: Command): boolean {
    const isDone = this.isPossible(command);
    if (isDone) this.carryOut(command);
    else if (command === 'rebuild' || command === 'erase-person') this.stopped = 'rebuild';
    else if (command === 'rollback' && this.kept) this.stopped ??= 'rollback';
    else if (command === 'restore' && this.discarded > 0) [this.discarded, this.stopped] = [0, 'rebuild'];
    if (!this.paused) this.visible = this.poisoned ?? this.written;
    return isDone;
  }

  private isPossible(command: Command): boolean {
    switch (command) {
      case 'rebuild':
      case 'erase-person':
        return this.poisoned === null;
      case 'rollback':
        return this.kept && this.poisoned === null;
      case 'poison':
        return this.poisoned === null;
      case 'restore':
        return this.discarded > 0 && this.poisoned === null;
      case 'retry':
      case 'discard':
        return this.poisoned !== null && (!this.paused || this.stopped !== null);
      default:
        return true;
    }
  }

  private carryOut(command: Command): void {
    switch (command) {
      case 'write':
        this.written += 1;
        return;
      case 'poison':
        this.poisoned = this.written;
        return;
      case 'rebuild':
      case 'rollback':
      case 'restore':
      case 'erase-person':
        this.visible = this.written;
        this.kept = command === 'rebuild' || command === 'rollback';
        if (command === 'restore') this.discarded = 0;
        this.stopped = null;
        return;
      case 'drop':
        this.kept = false;
        this.stopped = null;
        return;
      case 'pause':
      case 'resume':
        this.paused = command === 'pause';
        return;
      case 'discard':
        this.poisoned = null;
        this.discarded += 1;
        if (this.stopped === 'rebuild') [this.kept, this.visible] = [true, this.written];
        this.stopped = null;
        return;
      case 'retry':
    }
  }
}

/** Positions of payments of 13 that the program has learned to apply. */
const mended = new Set<number>();

/** Cannot apply payments of 13, but for those. */
const superstitious: Projection = withHandler('Paid', (handler) => ({
  ...handler,
  apply: (paid, documents) => {
    const { amount } = paid.data as { readonly amount?: number };
    if (amount === 13 && !mended.has(paid.position)) throw new Error('Thirteen');
    return handler.apply(paid, documents);
  },
}));

interface NodeOptions {
  readonly directory: string;
  readonly processName: string;
  readonly timing: Partial<EngineTiming>;
}

/** A process: its requests and its projector have stores of their own, as threads do. */
class Node {
  readonly models: ServingModels;
  private readonly settings: OperatorSettings;
  private readonly positions = new ModelPositions([superstitious], () => Promise.resolve(null));
  private readonly readStore: ReadStore;
  private readonly projectorStore: ReadStore;
  private readonly host: ProjectionHost;
  private readonly operations: ProjectionOperations;

  constructor(log: TestLog, { directory, processName, timing }: NodeOptions) {
    this.readStore = openEmbeddedReadStore({ directory });
    this.projectorStore = openEmbeddedReadStore({ directory });
    this.settings = new OperatorSettings(this.readStore);
    // No answer is kept for longer than the question.
    let now = 0;
    this.models = new ServingModels(this.readStore, { now: () => (now += 60_000) });
    const projections = [superstitious];
    const environment = { stores: { log, readStore: this.projectorStore }, projections, processName };
    this.host = new ProjectionHost({
      launch: launchHere({ ...environment, timing: { ...quickTiming, leaseMilliseconds: 1_000, ...timing } }),
      projections,
      readStore: this.readStore,
      positions: this.positions,
      logger: silentLogger,
      processName,
      onDrop: () => undefined,
    });
    this.operations = new ProjectionOperations({
      stores: { eventStore: log.store, readStore: this.readStore },
      projections,
      positions: this.positions,
      host: this.host,
      clock: { now: () => 7 },
      reactors: () => [],
    });
  }

  start(): Promise<void> {
    return this.host.start();
  }

  async stop(): Promise<void> {
    await this.host.stop();
    await this.projectorStore.close();
    await this.readStore.close();
  }

  /** Whether this process knows of an event that waits for an operator. */
  async hasDeadLetter(): Promise<boolean> {
    return (await this.operations.deadLetters()).some(({ state }) => state === 'waiting');
  }

  async carryOut(command: Exclude<Command, 'write' | 'poison'>): Promise<unknown> {
    switch (command) {
      case 'rebuild':
        return this.operations.rebuild(['accounts'], null, () => {});
      case 'rollback':
        return this.operations.rollback('accounts');
      case 'drop':
        return this.operations.drop('accounts');
      case 'pause':
      case 'resume':
        return this.operations.setPaused('accounts', command === 'pause');
      case 'retry':
        return this.operations.retry({ projection: 'accounts', id: null });
      case 'discard':
        return this.operations.discard({ projection: 'accounts', id: null });
      case 'restore':
        for (const { state, event: poison } of await this.operations.deadLetters())
          if (state === 'discarded') mended.add(poison.position);
        return this.operations.restore({ projection: 'accounts', id: null }, () => {});
      case 'erase-person':
        await this.operations.rebuild(['accounts'], null, () => {});
        await this.operations.drop('accounts');
        return this.readStore.scrub();
    }
  }

  /** Accounts that requests to this process find. */
  async visible(): Promise<number> {
    const model = await this.models.get('accounts', superstitious.collections);
    return (await model.collection<TotalsDocument>('totals').findOne({ _id: 'all' }))?.open ?? 0;
  }

  /** Whether no rebuild goes on by itself. */
  async isSettled(): Promise<boolean> {
    const { building, stoppedBuild } = await this.settings.of('accounts');
    return building === null || stoppedBuild !== null;
  }
}

/** Runs steps on one or two processes, and compares after each. */
async function run(steps: readonly Step[], timing: Partial<EngineTiming> = {}): Promise<void> {
  const log = await openTestLog();
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-commands-'));
  const nodes = ['one', 'other'].map((processName) => new Node(log, { directory, processName, timing }));
  const expected = new Expected();
  mended.clear();
  try {
    for (const node of nodes) await node.start();
    for (const step of steps) await take(step, { log, nodes, expected });
  } finally {
    for (const node of nodes) await node.stop();
    await log.dispose();
    await rm(directory, { recursive: true, force: true });
  }
}

interface World {
  readonly log: TestLog;
  readonly nodes: readonly Node[];
  readonly expected: Expected;
}

async function take({ command, process }: Step, { log, nodes, expected }: World): Promise<void> {
  const isDone = expected.take(command);
  if (command === 'write') await append(log, event('Opened', expected.written));
  else if (command === 'poison') {
    if (isDone) await append(log, event('Paid', 1, { amount: 13 }));
  } else {
    const asked = await nodeFor(command, { isDone, nodes, preferred: nodes[process]! });
    expect({ command, isDone: await asked.carryOut(command).then(...outcome) }).toEqual({ command, isDone });
  }
  for (const node of nodes) {
    await eventually(
      () => node.visible(),
      (visible) => visible === expected.visible,
    );
    await eventually(
      () => node.isSettled(),
      (settled) => settled,
    );
  }
}

/** A process knows of the events at which its own models are halted: an operator asks the one that does. */
async function nodeFor(
  command: Command,
  { isDone, nodes, preferred }: { isDone: boolean; nodes: readonly Node[]; preferred: Node },
): Promise<Node> {
  if (!isDone || (command !== 'retry' && command !== 'discard')) return preferred;
  const knowing = async (): Promise<Node | null> => {
    for (const node of [preferred, ...nodes]) if (await node.hasDeadLetter()) return node;
    return null;
  };
  return (await eventually(knowing, (node) => node !== null))!;
}

/** Refusals are sentences for operators; whatever else goes wrong is a fault. */
const outcome = [
  (): boolean => true,
  (error: unknown): boolean => {
    if (error instanceof OperatorError) return false;
    throw error;
  },
] as const;

const step: fc.Arbitrary<Step> = fc.record({
  command: fc.oneof({ weight: 3, arbitrary: fc.constant('write' as const) }, fc.constantFrom(...commands)),
  process: fc.constantFrom(0, 1),
});

describe('Operator commands, in any order and process', () => {
  it('keep writes visible: rebuild, roll back, drop, rebuild', async () => {
    const order = [
      'write',
      'rebuild',
      'rollback',
      'drop',
      'rebuild',
      'write',
      'erase-person',
      'write',
    ] as const;
    for (const process of [0, 1] as const) await run(order.map((command) => ({ command, process })));
  });

  it('apply no event after the reply to a pause, in any process', async () => {
    for (const process of [0, 1] as const) {
      const order = ['pause', 'write', 'resume', 'write', 'pause', 'write', 'write', 'resume'] as const;
      // That long a process takes to notice what was asked of another one.
      const timing = { versionMilliseconds: 300 };
      await run(
        order.map((command) => ({ command, process })),
        timing,
      );
    }
  });

  it('give the same reads as a naive model', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), (steps) => run(steps));
    await fc.assert(property, { numRuns: 20, interruptAfterTimeLimit: 30_000 });
  });
});
