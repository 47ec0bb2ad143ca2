import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { CommandLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

it('the server’s key is changed while no server runs, and everything works afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-rotation-'));
  const stores = ServerStores.embedded();
  const tool = new CommandLine({ DATA_DIR: folder });
  let server = await TestServer.start({ directory: folder, stores });
  try {
    const message = { type: 'channel', to: 'engines', topic: 'notes', content: 'Before.' };
    const owner = await server.owner();
    await owner.must('post', 'users/me/subscriptions', { subscriptions: '[{"name":"engines"}]' });
    const { id } = await owner.must('post', 'messages', message);
    const { client: ada } = await server.createUser(owner, 'Ada');
    const refused = await tool.run('owner', 'rotate-server-key');
    expect(refused.code).toBe(1);
    await server.stop();

    const before = await readFile(join(folder, 'server.key'), 'utf8');
    expect(await tool.must('owner', 'rotate-server-key')).toContain('keys are wrapped under it');
    expect(await readFile(join(folder, 'server.key'), 'utf8')).not.toBe(before);
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');

    server = await TestServer.start({ directory: folder, stores });
    const again = await server.owner();
    expect((await again.must('get', `messages/${id}`, { apply_markdown: false }))['message'].content).toBe(
      'Before.',
    );
    await again.must('post', 'messages', { ...message, content: 'After.' });
    expect((await ada.at(server.site).must('get', 'users/me'))['full_name']).toBe('Ada');
    expect(await tool.must('audit', 'verify')).toContain('Nothing is amiss.');
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
