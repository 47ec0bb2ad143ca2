import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../../projections/engine/logger.js';
import { MetricReader } from './metric-reader.js';

/** The figures of {@link watchServer}, each read when metrics are requested. */
export interface ServerFigures {
  /** The program's version. */
  readonly version: string;
  readonly dataDirectory: string;
  /** Position of the log's last event. */
  logEnd(): Promise<number>;
  /** When the log was sealed last, in milliseconds since the UNIX epoch; null: never. */
  lastSealAt(): Promise<number | null>;
  /** E-mails and notifications to devices that are waiting, up to the limit of the count. */
  waiting(): { readonly mails: number; readonly notifications: number };
  /** Events that operators discarded, by read model. */
  discardedEvents(): Promise<readonly (readonly [projection: string, count: number])[]>;
  /** The number of clients' event queues, and the bytes in them. */
  eventQueues(): { readonly size: number; readonly bytes: number };
}

/** Adds metrics about the program's version, the log, the queues and the disk. One that cannot be read is absent. */
export function watchServer(registry: Registry, figures: ServerFigures, logger: Pick<Logger, 'warn'>): void {
  const readings = new MetricReader(registry, logger);
  const gauge = (suffix: string, help: string, read: () => Promise<number> | number): void => {
    const name = `palimpsest_${suffix}`;
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await readings.read(name, read);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  showBuild(registry, figures.version);
  gauge('log_position', 'Position of the last event of the log', () => figures.logEnd());
  gauge('event_queues', 'Event queues that clients opened at this process', () => figures.eventQueues().size);
  gauge('event_queue_bytes', 'Bytes of events that wait in them', () => figures.eventQueues().bytes);
  gauge('data_directory_free_bytes', 'Room that is left on the disk of DATA_DIR', async () => {
    const { bavail, bsize } = await statfs(figures.dataDirectory);
    return bavail * bsize;
  });
  gauge('mails_waiting', 'E-mails that wait to be sent, 500 at most', () => figures.waiting().mails);
  gauge(
    'notifications_waiting',
    'Notifications to devices that wait to be sent, 500 at most',
    () => figures.waiting().notifications,
  );
  showSeal(registry, figures, readings);
  showDiscarded(registry, figures, readings);
}

function showBuild(registry: Registry, version: string): void {
  const labels = { version, node: process.version };
  new Gauge({
    name: 'palimpsest_build_info',
    help: 'Always 1; the labels name the version of the program and of Node.js',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}

function showSeal(registry: Registry, figures: ServerFigures, readings: MetricReader): void {
  const name = 'palimpsest_seal_age_seconds';
  new Gauge({
    name,
    help: 'Time since the log was last sealed, by any process; absent: it was never sealed, or could not be read',
    registers: [registry],
    async collect() {
      const at = (await readings.read(name, () => figures.lastSealAt())) ?? null;
      if (at === null) this.remove();
      else this.set((Date.now() - at) / 1000);
    },
  });
}

function showDiscarded(registry: Registry, figures: ServerFigures, readings: MetricReader): void {
  const name = 'palimpsest_projection_discarded_events';
  new Gauge({
    name,
    help: 'Events that operators discarded for the read model',
    labelNames: ['projection'],
    registers: [registry],
    async collect() {
      const counts = (await readings.read(name, () => figures.discardedEvents())) ?? [];
      this.reset();
      for (const [projection, count] of counts) this.set({ projection }, count);
    },
  });
}
