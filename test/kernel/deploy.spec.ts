import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfiguration, unknownVariables } from '../../src/config.js';
import { fileVariableOf, secretVariables } from '../../src/configuration/secret-files.js';
import { MAX_UPLOAD_MEBIBYTES } from '../../src/contexts/uploads/uploads.state.js';
import { itWith } from '../support/external-programs.js';

const run = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('What deploy/ ships', () => {
  itWith('nginx', 'has a configuration that nginx takes', async (nginx) => {
    await certificate();
    const site = (await readFile('deploy/nginx.conf', 'utf8'))
      .replaceAll('/etc/ssl/chat.example.com/', `${folder}/`)
      .replaceAll('listen 80;', 'listen 127.0.0.1:18080;')
      .replaceAll('listen 443 ssl http2;', 'listen 127.0.0.1:18443 ssl http2;')
      .replaceAll(/listen \[::\].*/g, '');
    const file = join(folder, 'nginx.conf');
    const paths = `pid ${folder}/pid; error_log ${folder}/errors;`;
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const rooms = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
    await writeFile(file, `${paths} events {} http { access_log off; ${rooms} ${site} }`);
    const { stderr } = await run(nginx, ['-t', '-c', file]);
    expect(stderr).toContain('test is successful');
  });

  itWith('caddy', 'has a Caddyfile that Caddy takes', async (caddy) => {
    const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const { stdout } = await run(
      caddy,
      ['validate', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'],
      {
        env: environment,
      },
    );
    expect(stdout).toContain('Valid configuration');
  });

  itWith('systemd-analyze', 'has a unit that systemd takes', async (analyze) => {
    const unit = (await readFile('deploy/palimpsest.service', 'utf8')).replace(
      '/usr/bin/node',
      process.execPath,
    );
    const file = join(folder, 'palimpsest.service');
    await writeFile(file, unit);
    const { stderr } = await run(analyze, ['verify', '--man=no', file]);
    expect(stderr.split('\n').filter((line) => line.includes('palimpsest.service'))).toEqual([]);
  });
});

describe('The proxies', () => {
  it('let uploads through that the server takes', async () => {
    const [, nginx] = /client_max_body_size (\d+)m;/.exec(await readFile('deploy/nginx.conf', 'utf8')) ?? [];
    const [, caddy] = /max_size (\d+)MiB/.exec(await readFile('deploy/Caddyfile', 'utf8')) ?? [];
    for (const mebibytes of [nginx, caddy]) {
      expect(Number(mebibytes) * 1_048_576).toBeGreaterThan(MAX_UPLOAD_MEBIBYTES * 1_048_576);
    }
  });
});

describe('The options of Node.js with which the server is started', () => {
  it('are the same by npm, in the image, by systemd and in the measurements', async () => {
    const starts = [
      'package.json',
      'Dockerfile',
      'deploy/palimpsest.service',
      'test/bench/support/server-process.ts',
    ];
    const options = await Promise.all(
      starts.map(async (file) => {
        const text = await readFile(file, 'utf8');
        return text.match(/--(?:single-threaded|max-semi|min-semi)[\w-]*(?:=\d+)?/g);
      }),
    );
    const same = ['--single-threaded-gc', '--max-semi-space-size=16', '--min-semi-space-size=16'];
    expect(options).toEqual(starts.map(() => same));
  });
});

describe('The example for nginx', () => {
  const part = async (start: string): Promise<string> => {
    const text = await readFile('deploy/nginx.conf', 'utf8');
    const from = text.indexOf(start);
    expect(from).toBeGreaterThan(-1);
    return text.slice(from, text.indexOf('\n    }', from));
  };

  it('answers what renews its certificate without the redirect to TLS', async () => {
    expect(await part('location /.well-known/acme-challenge/ {')).toContain('root /var/www/html;');
    expect(await part('listen 80;')).not.toContain('return 301');
  });

  it('keeps the metrics inside', async () => {
    expect(await part('location = /metrics {')).toContain('return 404;');
  });

  it('waits for long polls, passes uploads and replies on as they come, and overwrites what clients claim', async () => {
    const passed = await part('proxy_pass http://palimpsest;');
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(passed) ?? [];
    expect(Number(seconds)).toBeGreaterThan(90);
    for (const setting of [
      'proxy_request_buffering off;',
      'proxy_buffering off;',
      'proxy_set_header X-Forwarded-For $remote_addr;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
      'proxy_set_header X-Forwarded-Host $host;',
    ]) {
      expect(passed).toContain(setting);
    }
  });
});

describe('The command of deploy/', () => {
  const becomeNobody = ['--user', 'nobody', '--', process.execPath, '--version'];
  const canBecomeNobody = process.getuid?.() === 0 && spawnSync('runuser', becomeNobody).status === 0;
  const itAsRoot = canBecomeNobody ? it : it.skip;

  itAsRoot(
    `runs as another user with what the unit has${canBecomeNobody ? '' : ' (NOT RUN: needs root, and Node where everybody may start it)'}`,
    async () => {
      const variables = join(folder, 'variables');
      await writeFile(
        variables,
        '# A comment\nORGANIZATION_NAME=A $HOME of engines\nMAIL_FROM="E <e@x.example>"\n#PORT=1\n',
      );
      // Not in a file: the other user may not have access to the folders of the user who runs the tests.
      const printed = 'JSON.stringify([process.getuid(), process.env, process.argv.slice(1)])';
      const script = (await readFile('deploy/palimpsest', 'utf8'))
        .replace('/etc/palimpsest.env', variables)
        .replace('--user palimpsest', '--user nobody')
        .replace('/usr/bin/node', process.execPath)
        .replace('/opt/palimpsest/dist/src/cli/main.js', `-p '${printed}' --`);
      const environment = { PATH: process.env['PATH'] ?? '', DATA_DIR: '/var/lib/restored' };
      const { stdout } = await run('bash', ['-c', script, 'palimpsest', 'audit', 'a b'], {
        env: environment,
      });
      const [user, seen, words] = JSON.parse(stdout) as [number, Record<string, string>, readonly string[]];
      expect(user).not.toBe(0);
      expect(seen).toMatchObject({
        DATA_DIR: '/var/lib/restored',
        ORGANIZATION_NAME: 'A $HOME of engines',
        MAIL_FROM: 'E <e@x.example>',
      });
      expect(seen).not.toHaveProperty('PORT');
      expect(words).toEqual(['audit', 'a b']);
    },
  );
});

describe('The data directory of the command of deploy/', () => {
  /** The variable as the tool sees it; `called` is set where the command is called. */
  async function directoryWith(variables: string, called: Record<string, string> = {}): Promise<string> {
    const file = join(folder, 'variables-of-directory');
    await writeFile(file, variables);
    const script = (await readFile('deploy/palimpsest', 'utf8'))
      .replace('/etc/palimpsest.env', file)
      .replace(/exec runuser .*/, 'printf %s "$NODE_ENV:$DATA_DIR"');
    const environment = { PATH: process.env['PATH'] ?? '', ...called };
    return (await run('bash', ['-c', script], { env: environment })).stdout;
  }

  it('is that of the file of variables, as for the server, unless the caller names another', async () => {
    expect(await directoryWith('PORT=1\n')).toBe('production:/var/lib/palimpsest');
    expect(await directoryWith('DATA_DIR=/srv/chat\n')).toBe('production:/srv/chat');
    const called = { DATA_DIR: '/var/lib/restored' };
    expect(await directoryWith('DATA_DIR=/srv/chat\n', called)).toBe('production:/var/lib/restored');
  });
});

describe('docker compose', () => {
  it('passes every variable on, but those that it must set', async () => {
    const compose = await readFile('docker-compose.yml', 'utf8');
    const [, own = ''] = /x-environment: &environment\n((?: {2}.*\n)+)/.exec(compose) ?? [];
    const set = [...own.matchAll(/^ {2}([A-Z_]+): (.*)$/gm)];
    const fixed = set.filter(([, name, value]) => !value!.startsWith(`\${${name}`)).map(([, name]) => name);
    expect(set.length).toBeGreaterThan(fixed.length);
    expect(fixed).toEqual(['HOST', 'PORT', 'DATA_DIR']);
    // Both roles name the same file in the volume of the first one, which `.env` must not change for one of them.
    expect(compose).toMatch(
      /NODE_ROLES: \$\{NODE_ROLES:-api,projector\}\n(?: +#.*\n)* +SERVER_KEY_FILE: \/data\/server\.key\n/,
    );
    // The published process knows the state of the read models, unless somebody asks for a second one.
    expect(compose).toMatch(/ {2}projector:\n {4}<<: \*palimpsest\n {4}profiles: \[split\]\n/);
    expect(compose).toMatch(/NODE_ROLES: projector\n +SERVER_KEY_FILE: \/api-data\/server\.key\n/);
    expect(compose).toMatch(/env_file:\n\s+- path: \.env\n/);
    const guide = await readFile('docs/deploy.md', 'utf8');
    for (const name of [...fixed, 'NODE_ROLES', 'SERVER_KEY_FILE']) {
      expect(guide).toMatch(new RegExp(`is passed on, but [^.]*\`${name}\``));
    }
  });
});

describe('The logs under docker compose', () => {
  it('are rotated for every service, as the guide says', async () => {
    const compose = await readFile('docker-compose.yml', 'utf8');
    const [, options = ''] = /x-logging: &logging\n((?: {2}.*\n)+)/.exec(compose) ?? [];
    expect(options).toMatch(/driver: json-file\n {2}options:\n {4}max-size: 50m\n {4}max-file: '5'\n/);
    expect(await readFile('docs/deploy.md', 'utf8')).toContain('five files of 50 MB for each service');
    expect(compose).toMatch(/x-palimpsest: &palimpsest\n(?: {2}.*\n)*? {2}logging: \*logging\n/);
    const [, services = ''] = /^services:\n([\s\S]*?)^\w/m.exec(compose) ?? [];
    const parts = services.split(/^ {2}(?=\w)/m).slice(1);
    expect(parts.length).toBe(4);
    const isRotated = (part: string): boolean => /^ {4}(?:<<: \*palimpsest|logging: \*logging)$/m.test(part);
    expect(parts.filter((part) => !isRotated(part))).toEqual([]);
  });
});

describe('The image', () => {
  it('is judged by whether it serves, not by whether it lives', async () => {
    const [check = ''] = /^HEALTHCHECK(?:.*\\\n)*.*$/m.exec(await readFile('Dockerfile', 'utf8')) ?? [];
    expect(check).toContain('/health/ready');
  });
});

describe('The guide to deploying', () => {
  it('shows variables that the server takes', async () => {
    const blocks = [
      ...(await readFile('docs/deploy.md', 'utf8')).matchAll(
        /^```(?:sh)?\n((?:(?:#|[A-Z0-9_]+=).*\n)+)```$/gm,
      ),
    ];
    expect(blocks.length).toBeGreaterThan(1);
    const file = join(folder, 'secret');
    await writeFile(file, 'not to be shown');
    for (const [, block = ''] of blocks) {
      const lines = block
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split('=') as [string, string]);
      const filled = Object.fromEntries(lines) as Record<string, string>;
      for (const [name, value] of Object.entries(filled)) filled[name] = exampleOf(value, file);
      expect(unknownVariables(filled)).toEqual([]);
      expect(() => readConfiguration(filled)).not.toThrow();
    }
  });
});

/** An example value for a placeholder in the guide. */
function exampleOf(value: string, file: string): string {
  if (value.startsWith('/etc/')) return file;
  if (value === 'age1…') return `age1${'q'.repeat(58)}`;
  return value.replace('https://…', 'https://s3.example.com').replace('…', 'mauve');
}

describe('.env.example', () => {
  it('has every variable that the configuration reads, and no other', async () => {
    const asked = new Set<string>();
    readConfiguration(new Proxy({}, { get: (_target, name) => void asked.add(String(name)) }));
    for (const name of secretVariables) asked.delete(fileVariableOf(name));
    const source = await readFile('.env.example', 'utf8');
    const named = [...source.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    expect(named.sort()).toEqual([...asked].sort());
  });
});

/** A self-signed certificate, because nginx needs one to start. */
async function certificate(): Promise<void> {
  const [key, chain] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    chain,
  ];
  await run('openssl', words);
}
