import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { watchServer, type ServerFigures } from '../../src/operations/watch-server.js';

function figures(over: Partial<ServerFigures>): ServerFigures {
  return {
    version: '1.0.0',
    dataDirectory: '.',
    logEnd: () => Promise.resolve(7),
    lastSealAt: () => Promise.resolve(null),
    waiting: () => ({ mails: 1, notifications: 2 }),
    discardedEvents: () => Promise.resolve([['people', 3]]),
    eventQueues: () => ({ size: 4, bytes: 5 }),
    ...over,
  };
}

function watched(over: Partial<ServerFigures>): {
  readonly registry: Registry;
  readonly warnings: unknown[];
} {
  const registry = new Registry();
  const warnings: unknown[] = [];
  watchServer(registry, figures(over), { warn: (fields: object) => void warnings.push(fields) });
  return { registry, warnings };
}

it('Metrics leave out what a store that hangs would have to tell, count that, and ask it once', async () => {
  let asked = 0;
  let answer: (counts: readonly (readonly [string, number])[]) => void = () => undefined;
  const discardedEvents = (): ReturnType<ServerFigures['discardedEvents']> => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const { registry } = watched({ discardedEvents });
  // The store is never heard of: whoever waited for it would wait for ever.
  const shown = await registry.metrics();
  expect(shown).toMatch(/^palimpsest_log_position 7$/m);
  expect(shown).not.toMatch(/^palimpsest_projection_discarded_events\{/m);
  const next = await registry.metrics();
  expect(next).toMatch(
    /^palimpsest_metrics_unread_total\{metric="palimpsest_projection_discarded_events"\} 1$/m,
  );
  expect(next).toMatch(/^palimpsest_metrics_unread_total\{metric="palimpsest_log_position"\} 0$/m);
  expect(asked).toBe(1);
  const waiting = registry.metrics();
  answer([['people', 3]]);
  expect(await waiting).toMatch(/^palimpsest_projection_discarded_events\{projection="people"\} 3$/m);
});

it('Metrics leave out what cannot be read, say why in the log, and show it once it can be', async () => {
  let isBroken = false;
  // Also an error before anything is awaited passes.
  const logEnd = (): Promise<number> => {
    if (isBroken) throw new Error('gone');
    return Promise.resolve(7);
  };
  const { registry, warnings } = watched({ logEnd });
  expect(await registry.metrics()).toMatch(/^palimpsest_log_position 7$/m);
  isBroken = true;
  expect(await registry.metrics()).not.toMatch(/^palimpsest_log_position/m);
  expect(warnings).toEqual([{ metric: 'palimpsest_log_position', error: 'Error: gone' }]);
  isBroken = false;
  expect(await registry.metrics()).toMatch(/^palimpsest_log_position 7$/m);
});
