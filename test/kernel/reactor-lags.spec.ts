import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import { MailAbandoned } from '../../src/events/mail.js';
import { MessageSent } from '../../src/events/messages.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { ReactorLags } from '../../src/operations/overview/reactor-lags.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const sent = { type: MessageSent.type, data: MessageSent.example };
const abandoned = { type: MailAbandoned.type, data: MailAbandoned.example };

let stores: TemporaryStores;
let lags: ReactorLags;
let written: number;

beforeEach(async () => {
  stores = await openTemporaryStores();
  lags = new ReactorLags(stores.log.store);
  written = 0;
});

afterEach(() => stores.dispose());

/** @returns the event's position; its time is 1000 milliseconds after that of the one before */
async function append(event: DomainEvent): Promise<number> {
  written += 1;
  const commandId = `00000000-0000-4000-8000-${String(written).padStart(12, '0')}`;
  const metadata = { actorId: 3, commandId, causationId: null, client: 'test', at: 1000 * written };
  await stores.log.append({ stream: `test-${written}`, expected: 'any' }, [event], metadata);
  return (await stores.log.store.head())!;
}

function acting(reactor: string, position: number | null, types: readonly string[]): ReactorStatus {
  return { state: 'acting', reactor, position, types, stoppedMilliseconds: 0, stoppage: null };
}

/** Reads, and tells the lags at a time and after which positions the log was read. */
async function read(reactors: readonly ReactorStatus[], now: number): Promise<object> {
  const readAll = jest.spyOn(stores.log.store, 'readAll');
  await lags.read(reactors);
  const after = readAll.mock.calls.map(([options]) => options.after);
  readAll.mockRestore();
  return { lags: Object.fromEntries(lags.seconds(now)), after };
}

describe('The lags of reactors', () => {
  it('are found without reading any part of the log twice', async () => {
    const first = await append(sent);
    const second = await append(sent);
    const third = await append(sent);
    const rare = acting('rare', first, [MailAbandoned.type]);
    const rarer = acting('rarer', first, [MailAbandoned.type, 'Unknown']);
    const slowAt = (position: number): ReactorStatus => acting('slow', position, [MessageSent.type]);

    expect(await read([slowAt(first), rare, rarer], 5000)).toEqual({
      lags: { slow: 3, rare: 0, rarer: 0 },
      after: [first],
    });
    expect(await read([slowAt(first), rare, rarer], 9000)).toEqual({
      lags: { slow: 7, rare: 0, rarer: 0 },
      after: [],
    });
    const fourth = await append(abandoned);
    expect(await read([slowAt(second), rare, rarer], 9000)).toEqual({
      lags: { slow: 6, rare: 5, rarer: 5 },
      after: [second, third],
    });
    expect(await read([slowAt(fourth), rare, { ...rarer, position: fourth }], 9000)).toEqual({
      lags: { slow: 0, rare: 5, rarer: 0 },
      after: [],
    });
  });

  it('are read again from the position of a reactor that another process ran meanwhile', async () => {
    const first = await append(sent);
    const second = await append(sent);
    const here = acting('moving', second, [MessageSent.type]);
    expect(await read([here], 9000)).toMatchObject({ lags: { moving: 0 } });
    expect(await read([{ ...here, state: 'standby' }], 9000)).toMatchObject({ lags: { moving: null } });
    expect(await read([{ ...here, position: first }], 9000)).toMatchObject({ lags: { moving: 7 } });
  });

  it('are not known before a reactor has told its position, unless the log is empty', async () => {
    const untold = acting('starting', null, [MessageSent.type]);
    expect(await read([untold], 9000)).toEqual({ lags: { starting: 0 }, after: [] });
    await append(sent);
    expect(await read([untold], 9000)).toEqual({ lags: { starting: null }, after: [] });
  });

  it('are not known while the log cannot be read', async () => {
    const first = await append(sent);
    await append(sent);
    const one = acting('one', first, [MessageSent.type]);
    await lags.read([one]);
    const head = jest.spyOn(stores.log.store, 'head').mockRejectedValue(new Error('unreachable'));
    await expect(lags.read([one])).rejects.toThrow('unreachable');
    expect(lags.seconds(9000)).toEqual([['one', null]]);
    head.mockRestore();
    await lags.read([one]);
    expect(lags.seconds(9000)).toEqual([['one', 7]]);
  });
});
