import { Gauge, type Registry } from 'prom-client';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';

/** Adds metrics about the reactors that this process runs; other processes report theirs. */
export function watchReactors(registry: Registry, status: () => readonly ReactorStatus[]): void {
  const gauge = (name: string, help: string, value: (status: ReactorStatus) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['reactor'],
      registers: [registry],
      collect() {
        this.reset();
        for (const one of status()) {
          if (one.state !== 'standby') this.set({ reactor: one.reactor }, value(one));
        }
      },
    });
  };
  gauge(
    'palimpsest_reactor_checkpoint',
    'Position up to which everything was acted on',
    ({ position }) => position ?? 0,
  );
  gauge(
    'palimpsest_reactor_stopped_seconds',
    'For how long the reactor has stood still',
    ({ stoppedMilliseconds }) => stoppedMilliseconds / 1000,
  );
  gauge(
    'palimpsest_reactor_halted',
    '1 while the reactor stands before an event that it cannot act on',
    ({ state }) => Number(state === 'halted'),
  );
}
