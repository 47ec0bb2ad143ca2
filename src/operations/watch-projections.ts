import { Counter, Gauge, type Registry } from 'prom-client';
import type { ModelStatus } from '../../projections/engine/model-position.js';
import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';

interface Figure {
  readonly name: string;
  readonly help: string;
  readonly value: (status: ModelStatus) => number;
}

const figures: readonly Figure[] = [
  {
    name: 'palimpsest_projection_checkpoint',
    help: 'Position of the last event that is applied to the read model',
    value: ({ position }) => position ?? 0,
  },
  {
    name: 'palimpsest_projection_served_checkpoint',
    help: 'Position of the last event that requests can read from the read model',
    value: ({ servedPosition }) => servedPosition ?? 0,
  },
  {
    name: 'palimpsest_projection_unseen_seconds',
    help: 'For how long the log has had an event that requests cannot read from the read model yet',
    value: ({ unseenMilliseconds }) => unseenMilliseconds / 1000,
  },
  {
    name: 'palimpsest_projection_version',
    help: 'Stored version of the read model that serves',
    value: ({ version }) => version ?? 0,
  },
  {
    name: 'palimpsest_projection_lag_seconds',
    help: 'How far the read model is behind the log',
    value: ({ lagMilliseconds }) => lagMilliseconds / 1000,
  },
  {
    name: 'palimpsest_projection_events_per_second',
    help: 'Events applied per second, averaged over the last ten seconds',
    value: ({ eventsPerSecond }) => eventsPerSecond,
  },
  {
    name: 'palimpsest_projection_halted',
    help: '1 while the read model is halted at an event that it cannot apply, otherwise 0',
    value: ({ state }) => Number(state === 'halted'),
  },
];

/** Adds metrics about the read models: the figures of `projections status`. */
export function watchProjections(registry: Registry, positions: ModelPositions): void {
  countApplied(registry, positions);
  for (const { name, help, value } of figures) {
    new Gauge({
      name,
      help,
      labelNames: ['projection'],
      registers: [registry],
      collect() {
        for (const status of positions.status()) this.set({ projection: status.projection }, value(status));
      },
    });
  }
}

function countApplied(registry: Registry, positions: ModelPositions): void {
  new Counter({
    name: 'palimpsest_projection_events_applied_total',
    help: 'Events applied to the read model by this process',
    labelNames: ['projection'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { projection, events } of positions.status()) this.inc({ projection }, events);
    },
  });
}

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
    '1 while the reactor is halted at an event that it cannot act on',
    ({ state }) => Number(state === 'halted'),
  );
}
