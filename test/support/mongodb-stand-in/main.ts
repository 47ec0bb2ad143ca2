import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { MongoReplicaSetStandIn } from './replica-set.js';

/**
 * Stands before the server that `MONGODB_URL` names. With a command after `--`, it runs the command with its own address as `MONGODB_URL`
 * and ends with it; otherwise it prints the address and keeps running.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '0' } },
});
const { hostname: host, port } = new URL(process.env['MONGODB_URL'] ?? '');
const upstream = { host, port: Number(port || 27_017) };
const standIn = await MongoReplicaSetStandIn.start({ upstream, port: Number(values.port) });
const address = `mongodb://${standIn.address}/palimpsest`;
const [command, ...words] = positionals;

if (command === undefined) {
  process.stdout.write(`${address}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void standIn.close());
} else {
  const env = { ...process.env, MONGODB_URL: address };
  const [code] = (await once(spawn(command, words, { env, stdio: 'inherit' }), 'exit')) as [number | null];
  const { committed, aborted, expired, killed } = standIn.counts;
  process.stdout.write(
    `Transactions: ${committed} committed, ${aborted} aborted; ${expired} for their lifetime, ${killed} with their session.\n`,
  );
  process.exitCode = code ?? 1;
  await standIn.close();
}
