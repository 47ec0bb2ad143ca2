import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorTable } from '../../src/kernel/errors.js';
import { eventCatalog } from '../../src/stores/event-catalog.js';
import { itWith } from '../support/external-programs.js';

const run = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('What deploy/ ships to watch a server', () => {
  itWith('promtool', 'has alert rules that Prometheus takes', async (promtool) => {
    const { stdout } = await run(promtool, ['check', 'rules', 'deploy/prometheus-alerts.yml']);
    expect(stdout).toContain('SUCCESS: 19 rules found');
  });

  itWith('promtool', 'has alerts that fire when they should, and no other time', async (promtool) => {
    const { stdout } = await run(promtool, ['test', 'rules', 'deploy/prometheus-alerts.test.yml']);
    expect(stdout).toContain('SUCCESS');
  });

  itWith(
    'promtool',
    'is scraped by a configuration that Prometheus takes, as the guide shows it',
    async (promtool) => {
      const [, shown = ''] =
        /^ {2}```yaml\n([\s\S]*?)^ {2}```$/m.exec(await readFile('docs/deploy.md', 'utf8')) ?? [];
      const [token, file] = [join(folder, 'palimpsest-token'), join(folder, 'prometheus.yml')];
      await writeFile(token, 'not to be shown');
      const configuration = shown
        .replace('/etc/prometheus/palimpsest-token', token)
        .replace('/opt/palimpsest/', `${process.cwd()}/`);
      await writeFile(file, configuration);
      const { stdout } = await run(promtool, ['check', 'config', file]);
      expect(stdout).toMatch(/SUCCESS: 1 rule files found[\s\S]*SUCCESS: \d+ rules found/);
    },
  );

  it('has a test of each alert', async () => {
    const [rules, tests] = await Promise.all(
      ['deploy/prometheus-alerts.yml', 'deploy/prometheus-alerts.test.yml'].map((file) =>
        readFile(file, 'utf8'),
      ),
    );
    const alerts = [...rules!.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    expect(alerts.filter((name) => !tests!.includes(`alertname: ${name}\n        exp_alerts:\n`))).toEqual(
      [],
    );
  });

  it('asks for errors and events that there are (metrics: test/e2e/metrics.spec.ts)', async () => {
    const files = ['prometheus-alerts.yml', 'prometheus-alerts.test.yml', 'grafana-dashboard.json'];
    const sources = await Promise.all(files.map((file) => readFile(join('deploy', file), 'utf8')));
    const asked = sources.join('\n');
    const errors = [...asked.matchAll(/error=~?"([^"]+)"/g)].flatMap(([, names]) => names!.split('|'));
    expect(errors.filter((name) => !(name in errorTable))).toEqual([]);
    const types = [...asked.matchAll(/type=~?\\?"([\w|]+)\\?"/g)].flatMap(([, names]) => names!.split('|'));
    expect(types.length).toBeGreaterThan(3);
    const stored = new Set(eventCatalog.definitions.map(({ type }) => type));
    expect(types.filter((name) => !stored.has(name))).toEqual([]);
  });

  it('has each alert and each panel explained', async () => {
    const page = await readFile('docs/operate.md', 'utf8');
    const alerts = [...(await readFile('deploy/prometheus-alerts.yml', 'utf8')).matchAll(/alert: (\w+)/g)];
    expect(alerts.map(([, name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const { panels } = JSON.parse(await readFile('deploy/grafana-dashboard.json', 'utf8')) as {
      readonly panels: readonly { readonly title: string }[];
    };
    expect(panels.map(({ title }) => title).filter((title) => !page.includes(`| ${title} `))).toEqual([]);
  });
});
