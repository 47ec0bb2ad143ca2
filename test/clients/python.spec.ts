import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { runCommands } from '../support/guides.js';
import { TestServer } from '../support/server.js';
import {
  canDriveTerminal,
  notRun,
  pythonClients,
  RunningProgram,
  run,
  Terminal,
} from './support/python-clients.js';

// Interpreters start slowly on a busy machine.
const timeout = 240_000;
/** How long a key may take to show something before it is pressed again, in milliseconds. */
const KEY_TIMEOUT = 10_000;

const suite = pythonClients === undefined ? describe.skip : describe;

let server: TestServer;
let folder: string;
let owner: ApiClient;
let ada: ApiClient;
let adaFile: string;

async function credentialsFile(name: string, client: ApiClient): Promise<string> {
  const file = join(folder, name);
  const { email, key } = client.credentials!;
  await writeFile(file, `[api]\nemail=${email}\nkey=${key}\nsite=${server.site}\n`, { mode: 0o600 });
  return file;
}

/** What was said last, raw: in one topic, or anywhere that the person can see. */
async function contents(client: ApiClient, topic?: string): Promise<readonly string[]> {
  const narrow = [{ operator: 'topic', operand: topic }];
  const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
  const asked = topic === undefined ? page : { ...page, narrow };
  const { messages } = (await client.must('get', 'messages', asked)) as Reply & {
    messages: { content: string }[];
  };
  return messages.map(({ content }) => content);
}

beforeAll(async () => {
  if (pythonClients === undefined) return;
  server = await TestServer.start();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-clients-'));
  owner = await server.owner();
  const made = await server.createUser(owner, 'Ada');
  ada = made.client;
  adaFile = await credentialsFile('ada.zuliprc', ada);
  await owner.must('post', 'users/me/subscriptions', {
    subscriptions: [{ name: 'lab' }],
    principals: [made.id, 3],
  });
});

afterAll(async () => {
  if (pythonClients === undefined) return;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

suite(`the Python package${notRun}`, () => {
  it('hears in its own loop what others say', async () => {
    const listener = RunningProgram.start('python', [resolve('test/clients/support/listen.py'), adaFile]);
    try {
      await eventually(
        async () => listener.output.join(''),
        (text) => text.includes('registered'),
        timeout,
      );
      // The loop registers a queue of its own: what is said before it does is not for it.
      const heard = async (): Promise<string> => {
        await owner.must('post', 'messages', {
          type: 'channel',
          to: 'lab',
          topic: 'python',
          content: 'ssss',
        });
        return listener.output.join('');
      };
      expect(await eventually(heard, (text) => text.includes('ssss'), timeout)).toContain(
        '{"content": "ssss"}',
      );
    } finally {
      await listener.end();
    }
  });

  it('sends from the command line', async () => {
    const message = ['--stream', 'lab', '--subject', 'command line', '--message', 'sent by zulip-send'];
    await run('zulip-send', ['--config-file', adaFile, ...message]);
    expect(await contents(ada, 'command line')).toEqual(['sent by zulip-send']);
  });

  it('sends from the command line as README shows it', async () => {
    await owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'engines' }] });
    const [line] = /^zulip-send .*$/m.exec((await readFile('README.md', 'utf8')).replaceAll(' var/', ' '))!;
    await runCommands(`${pythonClients}/bin/${line}`, { folder: server.directory, environment: {} });
    expect(await contents(owner, 'notes')).toEqual(['Hello from a client']);
  });

  it('runs a bot that answers who mentions it', async () => {
    const { user_id: botId, api_key: key } = await ada.must('post', 'bots', {
      full_name: 'Echo',
      short_name: 'echo',
      bot_type: 1,
    });
    const { user } = (await ada.must('get', `users/${String(botId)}`)) as Reply & {
      user: { email: string };
    };
    const client = { credentials: { email: user.email, key: key as string } } as ApiClient;
    const botFile = await credentialsFile('echo.zuliprc', client);
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'lab' }],
      principals: [botId],
    });
    const script = resolve('test/clients/support/echo_bot.py');
    const bot = RunningProgram.start('zulip-run-bot', [script, '--config-file', botFile]);
    try {
      const answered = async (): Promise<readonly string[]> => {
        const content = '@**Echo** note G';
        await ada.must('post', 'messages', { type: 'channel', to: 'lab', topic: 'echo', content });
        return contents(ada, 'echo');
      };
      const said = await eventually(answered, (all) => all.includes('echo: note G'), timeout);
      expect(said).toContain('echo: note G');
    } finally {
      await bot.end();
    }
  });
});

suite(`zulip-terminal${notRun}`, () => {
  /** Somebody new, subscribed to the channel. */
  async function person(name: string): Promise<{ readonly id: number; readonly client: ApiClient }> {
    const made = await server.createUser(owner, name);
    const invitation = { subscriptions: [{ name: 'lab' }], principals: [made.id] };
    await owner.must('post', 'users/me/subscriptions', invitation);
    // A message that arrives while the terminal starts can make one of its threads fail.
    const newest = { anchor: 'newest', num_before: 1, num_after: 0 };
    await eventually(
      async () => (await made.client.must('get', 'messages', newest))['messages'] as readonly unknown[],
      ({ length }) => length > 0,
      timeout,
    );
    return made;
  }

  async function say(content: string): Promise<number> {
    const message = { type: 'channel', to: 'lab', topic: 'terminal', content };
    return (await owner.must('post', 'messages', message))['id'] as number;
  }

  /** Ends every queue of a person, as a server does that starts anew: they are numbered as they are made. */
  async function endQueues(client: ApiClient): Promise<void> {
    const { queue_id: newest } = await client.must('post', 'register', { event_types: [] });
    const [process, number] = (newest as string).split(':');
    const ids = Array.from({ length: Number(number) }, (_, index) => `${process}:${index + 1}`);
    const ended = await Promise.all(ids.map((queue_id) => client.delete('events', { queue_id })));
    expect(ended.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
  }

  async function startTerminal(client: ApiClient) {
    const { email } = client.credentials!;
    const file = await credentialsFile(`${email}.zuliprc`, client);
    const program = join(pythonClients!, 'bin', 'zulip-term');
    const command = `cd '${folder}' && '${program}' --config-file '${file}'; cat zulip-terminal-tracebacks.log; sleep 60`;
    const terminal = await Terminal.start(join(folder, `tmux-${email}`), command);
    const shows = (text: string, within = timeout) =>
      eventually(
        () => terminal.screen(),
        (screen) => screen.includes(text),
        within,
      );
    /** Keys pressed while it draws are lost now and then: they are pressed until it shows what they open. */
    const opens = async (keys: readonly string[], text: string) => {
      const afterKeys = async (): Promise<string> => {
        await terminal.press(...keys);
        return shows(text, KEY_TIMEOUT).catch(() => terminal.screen());
      };
      await eventually(afterKeys, (screen) => screen.includes(text), timeout);
    };
    return { terminal, shows, opens };
  }

  it('starts, shows what another client sends, and sends', async () => {
    expect(await canDriveTerminal()).toBe(true);
    const { client } = await person('Bo');
    await say('before it');
    const { terminal, shows } = await startTerminal(client);
    try {
      await shows('before it');
      await say('a **live** greeting');
      await shows('a live greeting');
      // From the list of channels to the messages, then a reply to the one that is looked at.
      await terminal.press('Right');
      await terminal.press('r');
      await terminal.type('written in the terminal');
      await shows('written in the terminal');
      await terminal.press('C-d');
      const sent = await eventually(
        () => contents(client),
        (all) => all.includes('written in the terminal'),
        timeout,
      );
      expect(sent).toContain('written in the terminal');
    } finally {
      await terminal.end();
    }
  });

  it('shows what is known of a message with reactions, and of a channel', async () => {
    const { client } = await person('Dee');
    const message = await say('reacted to before');
    await ada.must('post', `messages/${message}/reactions`, { emoji_name: 'octopus' });
    const { terminal, shows, opens } = await startTerminal(client);
    try {
      await shows('reacted to before');
      await shows(':octopus: Ada');
      // To the topic with something unread.
      await opens(['n', 'i'], 'Message Information');
      // The same key closes it: Escape and the next key, read together, would be another key.
      await terminal.press('i');
      // To the list of channels, which has one row.
      await opens(['q', 'Enter', 'i'], 'Stream Details');
    } finally {
      await terminal.end();
    }
  });

  it('shows who reacts, and hears on once its queue is gone', async () => {
    const { client } = await person('Cas');
    const message = await say('react to this');
    const { terminal, shows } = await startTerminal(client);
    try {
      await shows('react to this');
      await ada.must('post', `messages/${message}/reactions`, { emoji_name: 'octopus' });
      await shows(':octopus: Ada');
      await endQueues(client);
      // What is said before it registers again is not for it.
      const heard = async (): Promise<string> => {
        await say('after it');
        return terminal.screen();
      };
      expect(await eventually(heard, (screen) => screen.includes('after it'), timeout)).toContain('after it');
    } finally {
      await terminal.end();
    }
  });
});
