import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { PastQuery } from '../../src/audit/past/past-api.js';
import { openPastApi } from '../../src/node/past-api.js';
import { openPast } from '../../src/cli/audit/past.js';
import { withLog } from '../../src/cli/audit/reading-log.js';
import { processTerminal } from '../../src/cli/terminal.js';
import { readConfiguration } from '../../src/config.js';

/**
 * A program that answers every query of the JSON list on its standard input as of the end of the log, and prints the list of answers. It
 * replaces many runs of `palimpsest audit at`, each of which would rebuild the read models.
 */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const queries = JSON.parse(readFileSync(0, 'utf8')) as readonly PastQuery[];
  await withLog(configuration, async (stores) => {
    const terminal = processTerminal({ json: true });
    const position = (await stores.eventStore.head()) ?? 0;
    const node = await openPast({ configuration, stores, terminal }, { position });
    const api = await openPastApi(node);
    const answers = [];
    for (const query of queries) answers.push(await api.ask(query));
    await terminal.print(JSON.stringify(answers));
    await api.close();
    await node.close();
  });
}

await main();
