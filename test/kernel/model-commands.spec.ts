import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { NothingDiscardedError, type ProjectionHost } from '../../projections/engine/projection-host.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { ModelOperation } from '../../src/events/operations.js';
import { projectionCommands } from '../../src/operations/control-commands.js';
import { ModelCommands } from '../../src/operations/model-commands.js';
import type { OperationsRecord } from '../../src/operations/operations-record.js';
import { ProjectionOperations } from '../../src/operations/projection-operations.js';
import { standIn } from '../support/stand-in.js';

const operator = { account: 'root' };
const noMore = { eventId: null, eventsPerSecond: null };

let recorded: string[];
let paused: [string, boolean][];
let faults: unknown[];

beforeEach(() => {
  recorded = [];
  paused = [];
  faults = [];
});

const record = standIn<OperationsRecord>({
  note: ({ operation }: { readonly operation: ModelOperation }) => {
    recorded.push(operation);
    return Promise.resolve();
  },
});

const host = standIn<ProjectionHost>({
  setPaused: (name: string, isPaused: boolean) => Promise.resolve(void paused.push([name, isPaused])),
});

/** A reactor that another process runs. */
const standby = standIn<ReactorRunner>({
  name: 'send-mails',
  status: () => standIn<ReactorStatus>({ state: 'standby' }),
});

function operationsWith(present: ProjectionHost | null): ProjectionOperations {
  const unused = {} as ConstructorParameters<typeof ProjectionOperations>[0];
  const projections = ['messages', 'flags'].map((name) => standIn<Projection>({ name }));
  return new ProjectionOperations({ ...unused, projections, host: present, reactors: () => [standby] });
}

function commandsWith(present: ProjectionHost | null, noting = record): ModelCommands {
  return new ModelCommands({
    operations: operationsWith(present),
    record: noting,
    clock: { now: () => 1_790_000_000_000 },
    logger: { ...silentLogger, error: ({ err }: { readonly err?: unknown }) => void faults.push(err) },
    verify: () => Promise.resolve({ differing: [], discarded: [], rebuilt: 'abc' } as never),
    dropSnapshots: () => Promise.resolve(3),
  });
}

describe('Commands about read models', () => {
  const refused = ['rebuild', 'rollback', 'drop', 'pause', 'resume', 'retry', 'discard', 'restore'] as const;

  it.each(refused)('%s is refused, and not recorded, where no read models are kept', async (operation) => {
    const commands = commandsWith(null);
    const order = commands.run({ operation, projection: 'messages', ...noMore }, operator);
    await expect(order).rejects.toThrow(/keeps no read models: ask the one whose NODE_ROLES/);
    expect(recorded).toEqual([]);
    expect(commands.reports).toEqual([]);
  });

  it('are refused from the command line too, and not recorded', async () => {
    const command = projectionCommands(operationsWith(null), record)['projections pause']!;
    const asked = async (): Promise<unknown> =>
      (command as (parameters: object, report: () => void) => Promise<unknown>)(
        { projection: 'messages' },
        () => undefined,
      );
    await expect(asked()).rejects.toThrow(/keeps no read models/);
    expect(recorded).toEqual([]);
  });

  it.each<ModelOperation>(['retry', 'discard', 'restore'])(
    '%s of a reactor is refused, and not recorded, where another process runs it',
    async (operation) => {
      const order = { operation, projection: 'reactor:send-mails', ...noMore };
      await expect(commandsWith(host).run(order, operator)).rejects.toThrow(/Another process runs/);
      expect(recorded).toEqual([]);
    },
  );

  it('that need no projections are carried out and recorded anywhere', async () => {
    const commands = commandsWith(null);
    const orders = [
      { operation: 'verify', projection: 'messages' },
      { operation: 'drop-snapshots', projection: null },
    ] as const;
    for (const order of orders) await commands.run({ ...order, ...noMore }, operator);
    expect(recorded).toEqual(['verify', 'drop-snapshots']);
    expect(commands.reports.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['done', 'Removed 3.'],
      ['done', 'the same as rebuilt, digest abc.'],
    ]);
  });

  it('are recorded and carried out where the read models are kept', async () => {
    await commandsWith(host).run({ operation: 'pause', projection: 'messages', ...noMore }, operator);
    expect(recorded).toEqual(['pause']);
    expect(paused).toEqual([['messages', true]]);
  });

  it.each([
    ['rebuild', 'mesages'],
    ['verify', 'mesages'],
    ['rollback', 'reactor:send-mails'],
    ['retry', 'reactor:nobody'],
  ] as const)(
    '%s of %s, which does not exist, is refused and not recorded',
    async (operation, projection) => {
      const commands = commandsWith(host);
      const order = commands.run({ operation, projection, ...noMore }, operator);
      await expect(order).rejects.toThrow(
        `There is no projection "${projection}"; there are messages, flags.`,
      );
      expect({ recorded, reports: commands.reports }).toEqual({ recorded: [], reports: [] });
    },
  );

  it('are not carried out when they cannot be recorded', async () => {
    const failing = standIn<OperationsRecord>({ note: () => Promise.reject(new Error('The log is gone')) });
    const commands = commandsWith(host, failing);
    const order = commands.run({ operation: 'pause', projection: 'messages', ...noMore }, operator);
    await expect(order).rejects.toThrow('The log is gone');
    expect({ paused, reports: commands.reports }).toEqual({ paused: [], reports: [] });
  });

  it('are refused, and not recorded, while another one about the same model is carried out', async () => {
    let finish = (): void => undefined;
    const setPaused = (name: string): Promise<void> =>
      name === 'messages' ? new Promise((resolve) => (finish = resolve)) : Promise.resolve();
    const commands = commandsWith(standIn<ProjectionHost>({ setPaused }));
    const pausing = commands.run({ operation: 'pause', projection: 'messages', ...noMore }, operator);
    const other = commands.run({ operation: 'resume', projection: 'messages', ...noMore }, operator);
    await expect(other).rejects.toMatchObject({ row: 'operationUnderWay' });
    await commands.run({ operation: 'pause', projection: 'flags', ...noMore }, operator);
    finish();
    expect(await pausing).toMatchObject({ projection: 'messages', state: 'done', outcome: 'paused.' });
    expect(recorded).toEqual(['pause', 'pause']);
  });

  it('that fail are recorded, and answered and reported with the reason', async () => {
    const setPaused = (): Promise<void> => Promise.reject(new Error('The store does not answer'));
    const commands = commandsWith(standIn<ProjectionHost>({ setPaused }));
    const order = commands.run({ operation: 'pause', projection: 'messages', ...noMore }, operator);
    await expect(order).rejects.toThrow('The store does not answer');
    expect(recorded).toEqual(['pause']);
    expect(commands.reports).toMatchObject([{ state: 'failed', outcome: 'The store does not answer' }]);
  });

  it('that fail are logged, unless the operator can mend the reason', async () => {
    const reasons = [new Error('The store does not answer'), new NothingDiscardedError('messages')];
    for (const reason of reasons) {
      const commands = commandsWith(standIn<ProjectionHost>({ setPaused: () => Promise.reject(reason) }));
      const order = commands.run({ operation: 'pause', projection: 'messages', ...noMore }, operator);
      await expect(order).rejects.toThrow(reason.message);
    }
    expect(faults).toEqual(reasons.slice(0, 1));
  });
});
