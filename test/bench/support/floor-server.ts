import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Fastify from 'fastify';
import Database from 'libsql';

/** About the size of what is stored for a short message in each store. */
const CONTENT = 'x'.repeat(600);

/** A file of rows that is synced at each commit. */
class Stage {
  private readonly database: Database.Database;
  private readonly insert: Database.Statement;

  constructor(file: string) {
    this.database = new Database(file);
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, content TEXT)');
    this.insert = this.database.prepare('INSERT INTO rows (content) VALUES (?)');
  }

  commit(rows: number): void {
    this.database.exec('BEGIN IMMEDIATE');
    for (let row = 0; row < rows; row += 1) this.insert.run(CONTENT);
    this.database.exec('COMMIT');
  }
}

/** A group commit: all waiting requests waitForAll the stages together. */
class Stages {
  private waiting: (() => void)[] = [];
  private isRunning = false;

  constructor(private readonly stages: readonly Stage[]) {}

  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await yieldToEventLoop();
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0);
      for (const stage of this.stages) {
        stage.commit(group.length);
        await yieldToEventLoop();
      }
      for (const resolve of group) resolve();
    }
    this.isRunning = false;
  }
}

/**
 * The baseline for sends: a bare Fastify route that commits each request to three files in sequence, like the keys,
 * the log and a model. Waiting requests are committed together. Nothing is looked up, encrypted, rendered or
 * indexed. The argument is a folder on a disk that syncs.
 */
async function main([folder = '.']: readonly string[]): Promise<void> {
  const stages = new Stages(
    ['keys', 'events', 'models'].map((name) => new Stage(join(folder, `${name}.sqlite`))),
  );
  const server = Fastify();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post('/api/v1/messages', async () => {
    await stages.pass();
    return { result: 'success', msg: '', id: 1 };
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ address })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

await main(process.argv.slice(2));
