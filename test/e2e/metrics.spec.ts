import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ environment: { SEAL_EVERY_EVENTS: '1' } });
});

afterAll(() => server.stop());

async function exposition(): Promise<string> {
  return (await fetch(`${server.site}/metrics`)).text();
}

/** Every metric by its name, with its type. */
async function metrics(): Promise<ReadonlyMap<string, string>> {
  const types = (await exposition()).matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return new Map([...types].map(([, name, type]) => [name!, type!]));
}

describe('What a server tells Prometheus', () => {
  it('has the prefix of the product, but for what the library of metrics tells of the process', async () => {
    const names = [...(await metrics()).keys()];
    expect(names.filter((name) => name.startsWith('palimpsest_')).length).toBeGreaterThan(25);
    expect(names.filter((name) => !/^(?:palimpsest|process|nodejs)_/.test(name))).toEqual([]);
  });

  it('counts by counters, which end in _total, and by nothing else', async () => {
    const own = [...(await metrics())].filter(([name]) => name.startsWith('palimpsest_'));
    const misnamed = own.filter(([name, type]) => (type === 'counter') !== name.endsWith('_total'));
    expect(misnamed).toEqual([]);
  });

  it('is all that alert rules and dashboard ask for', async () => {
    const files = ['deploy/prometheus-alerts.yml', 'deploy/grafana-dashboard.json'];
    const asked = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
    const known = await metrics();
    const named = new Set(asked.match(/(?:palimpsest|process|nodejs)_[a-z_]+/g));
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
  });

  it('has what the alert rules select from the start, so that the first increase is seen', async () => {
    const rules = await readFile('deploy/prometheus-alerts.yml', 'utf8');
    const selected = [...rules.matchAll(/(palimpsest_\w+_total)\{(\w+)=~?"([^"]+)"/g)].flatMap(
      ([, name, label, values]) => values!.split('|').map((value) => `${name}{${label}="${value}"} 0`),
    );
    expect(selected.length).toBeGreaterThan(6);
    const quiet = await TestServer.start();
    try {
      const shown = (await (await fetch(`${quiet.site}/metrics`)).text()).split('\n');
      expect(selected.filter((sample) => !shown.includes(sample))).toEqual([]);
      const failures = ['unreachable', 'broken', 'refused'];
      expect(shown.filter((line) => line.startsWith('palimpsest_push_failures_total{'))).toEqual(
        failures.map((failure) => `palimpsest_push_failures_total{failure="${failure}"} 0`),
      );
    } finally {
      await quiet.stop();
    }
  });

  it('counts refusals by the error that they are answered with', async () => {
    const refused = { headers: { authorization: `Basic ${btoa('nobody@example.com:wrong')}` } };
    expect((await fetch(`${server.site}/api/v1/users/me`, refused)).status).toBe(401);
    expect((await fetch(`${server.site}/api/v1/users/me`)).status).toBe(401);
    await eventually(exposition, (text) =>
      /^palimpsest_errors_total\{error="(?:malformedApiKey|invalidApiKey)"\} 1$/m.test(text),
    );
  });

  it('counts the event queues, and the bytes of the events that wait in them', async () => {
    const figure = async (name: string): Promise<number> =>
      Number(new RegExp(`^palimpsest_${name} (\\S+)$`, 'm').exec(await exposition())?.[1]);
    const owner = await server.owner();
    expect([await figure('event_queues'), await figure('event_queue_bytes')]).toEqual([0, 0]);
    await owner.must('post', 'register', { event_types: '["user_settings"]' });
    expect(await figure('event_queues')).toBe(1);
    const empty = await figure('event_queue_bytes');
    await owner.must('patch', 'settings', { web_font_size_px: 18 });
    expect(
      await eventually(
        () => figure('event_queue_bytes'),
        (bytes) => bytes > empty,
      ),
    ).toBeLessThan(10_000);
  });

  it('says how old the last seal is, and what waits to be sent', async () => {
    const shown = await eventually(exposition, (text) =>
      // What cannot be read in time is left out.
      [/^palimpsest_seal_age_seconds \d/m, /^palimpsest_mails_waiting 0$/m].every((one) => one.test(text)),
    );
    const age = Number(/^palimpsest_seal_age_seconds (\S+)$/m.exec(shown)?.[1]);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(shown).toMatch(/^palimpsest_mails_waiting 0$/m);
    expect(shown).toMatch(/^palimpsest_notifications_waiting 0$/m);
  });
});
