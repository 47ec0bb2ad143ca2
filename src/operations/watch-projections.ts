import { Gauge, type Registry } from 'prom-client';
import type { ModelPositions } from '../../projections/engine/model-positions.js';

/** Adds how the read models are doing to the process's metrics: the figures that `projections status` shows. */
export function watchProjections(registry: Registry, positions: ModelPositions): void {
  const labelNames = ['projection'] as const;
  const gauge = (
    name: string,
    help: string,
    value: (status: ReturnType<ModelPositions['status']>[number]) => number,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const status of positions.status()) this.set({ projection: status.projection }, value(status));
      },
    });
  };
  gauge(
    'projection_checkpoint',
    'Position of the last event that is in the read model',
    ({ position }) => position ?? 0,
  );
  gauge('projection_version', 'Stored version of the read model that serves', ({ version }) => version ?? 0);
  gauge(
    'projection_lag_seconds',
    'How far the read model is behind the log',
    ({ lagMilliseconds }) => lagMilliseconds / 1000,
  );
  gauge(
    'projection_events_applied',
    'Events applied to the read model by this process',
    ({ events }) => events,
  );
  gauge(
    'projection_events_per_second',
    'Events applied in a second, over the last ten',
    ({ eventsPerSecond }) => eventsPerSecond,
  );
  gauge(
    'projection_halted',
    '1 while the read model stands before an event that it cannot apply',
    ({ state }) => Number(state === 'halted'),
  );
}
