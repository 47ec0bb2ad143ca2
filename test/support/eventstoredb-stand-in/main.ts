import { parseArgs } from 'node:util';
import { EventStoreDbStandIn } from './stand-in.js';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, directory: { type: 'string' } },
});
if (!values.directory) throw new Error('--directory DIR is missing: where the log is kept');

const standIn = await EventStoreDbStandIn.start({ directory: values.directory, port: Number(values.port) });
process.stdout.write(`${standIn.connectionString}\n`);

// Any message from the parent requests the counts.
process.on('message', () => process.send?.(standIn.counts));
process.channel?.unref();
// Ends with its parent, however that ends.
process.once('disconnect', () => void standIn.stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void standIn.stop());
