import { describe, expect, it } from '@jest/globals';
import { PresenceBoard } from '../../src/contexts/presence/presence-board.js';
import type { SignalStore, StoredSignal } from '../../src/stores/signal-store/port.js';
import { SignalExchange } from '../../src/realtime/signals/signal-exchange.js';
import { presenceSignal, type PresenceSignal } from '../../src/contexts/presence/commands/report-presence.js';
import type { TypingSignal } from '../../src/contexts/typing/client-events.js';
import { typingSignal } from '../../src/contexts/typing/commands/report-typing.js';
import { atTheTime } from '../support/given.js';

type Told = TypingSignal | PresenceSignal;

/** A signal store in memory that can fail. */
class MemorySignalStore implements SignalStore {
  readonly signals = new Map<string, StoredSignal>();
  isDown = false;

  async put(signals: readonly StoredSignal[]): Promise<void> {
    if (this.isDown) throw new Error('down');
    for (const signal of signals) this.signals.set(signal.subject, signal);
  }

  async since(time: number, { self, now }: { self: string; now: number }): Promise<readonly StoredSignal[]> {
    if (this.isDown) throw new Error('down');
    const all = [...this.signals.values()];
    return all.filter(({ at, from, until }) => at >= time && from !== self && until > now);
  }

  async forgetBefore(time: number): Promise<void> {
    for (const [subject, { until }] of this.signals) if (until <= time) this.signals.delete(subject);
  }

  async close(): Promise<void> {}
}

const clock = { time: atTheTime, now: () => clock.time };
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

class Process {
  readonly exchange: SignalExchange;
  heard: Told[] = [];

  constructor(
    private readonly store: MemorySignalStore,
    self: string,
  ) {
    this.exchange = new SignalExchange({ store, clock, logger: logger, self });
  }

  async tick(receive?: (signal: Told) => void): Promise<readonly Told[]> {
    this.heard = [];
    const note = receive ?? ((signal: Told) => this.heard.push(signal));
    await this.exchange.exchange(this.store, (signal) => note(signal as Told));
    return this.heard;
  }
}

function pair(): { store: MemorySignalStore; one: Process; other: Process } {
  const store = new MemorySignalStore();
  return { store, one: new Process(store, 'one'), other: new Process(store, 'other') };
}

function typing(op: 'start' | 'stop', topic = 'notes'): TypingSignal {
  return { type: 'typing', op, senderId: 3, recipient: { type: 'channel', channelId: 1, topic } };
}

describe('signals between processes', () => {
  it('reach the others once, the latest of each subject only, and never come back', async () => {
    const { one, other } = pair();
    one.exchange.send(typingSignal(typing('start')));
    one.exchange.send(typingSignal(typing('stop')));
    one.exchange.send(typingSignal(typing('start', 'elsewhere')));
    expect(await one.tick()).toEqual([]);
    expect(await other.tick()).toEqual([typing('stop'), typing('start', 'elsewhere')]);
    clock.time += 1000;
    expect(await one.tick()).toEqual([]);
    expect(await other.tick()).toEqual([]);
  });

  it('reach a process that starts later while they are worth something', async () => {
    const { store, one } = pair();
    one.exchange.send(typingSignal(typing('start')));
    one.exchange.send(presenceSignal({ userId: 3, activeAt: 5, connectedAt: 6 }));
    await one.tick();
    clock.time += 60_000;
    expect(await new Process(store, 'late').tick()).toEqual([
      { type: 'presence', presence: { userId: 3, activeAt: 5, connectedAt: 6 } },
    ]);
    expect([...store.signals.keys()]).toEqual(['presence:3']);
  });

  it('are told later when the store fails, unless they are worth nothing by then', async () => {
    const { store, one, other } = pair();
    await one.tick();
    store.isDown = true;
    one.exchange.send(typingSignal(typing('start', 'early')));
    await expect(one.tick()).rejects.toThrow('down');
    clock.time += 40_000;
    one.exchange.send(typingSignal(typing('start', 'late')));
    await expect(one.tick()).rejects.toThrow('down');
    clock.time += 10_000;
    store.isDown = false;
    await one.tick();
    expect(await other.tick()).toEqual([typing('start', 'late')]);
  });

  it('are heard from a process whose clock is behind', async () => {
    const { one, other } = pair();
    await other.tick();
    clock.time -= 4_000;
    one.exchange.send(typingSignal(typing('start')));
    await one.tick();
    clock.time += 5_000;
    expect(await other.tick()).toEqual([typing('start')]);
  });

  it('bring boards together that know different things of a person', async () => {
    const { one, other } = pair();
    const boards = new Map([one, other].map((process) => [process, new PresenceBoard()]));
    const told = [
      { userId: 3, activeAt: atTheTime, connectedAt: atTheTime },
      { userId: 3, activeAt: null, connectedAt: atTheTime + 900 },
    ];
    [one, other].forEach((process, index) => {
      boards.get(process)!.merge(told[index]!, clock.time);
      process.exchange.send(presenceSignal(told[index]!));
    });
    for (let round = 0; round < 3; round += 1) {
      for (const process of [one, other]) {
        await process.tick((signal) => {
          if (signal.type !== 'presence') return;
          const { presence, knowsMore } = boards.get(process)!.merge(signal.presence, clock.time);
          if (knowsMore) process.exchange.send(presenceSignal(presence));
        });
        clock.time += 500;
      }
    }
    const both = { userId: 3, activeAt: atTheTime, connectedAt: atTheTime + 900 };
    expect([...boards.values()].map((board) => board.of(3))).toEqual([both, both]);
    const late = new Process(one['store'], 'late');
    expect(await late.tick()).toEqual([{ type: 'presence', presence: both }]);
  });
});
