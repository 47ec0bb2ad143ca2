import { once } from 'node:events';
import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.js';

/** Longer than any request takes on the slowest stores. */
const TIMEOUT_SECONDS = 300;

/**
 * The process that generates load on a server: it gets a {@link Load} from its parent, answers a {@link LoadResult}
 * and ends.
 */
async function main(): Promise<void> {
  const [load] = (await once(process, 'message')) as [Load];
  const requests = load.requests.map((request) => ({ ...request }));
  let clients = 0;
  const { result, seconds } = await measured({
    url: load.site,
    connections: load.connections,
    timeout: TIMEOUT_SECONDS,
    ...(load.amount === undefined ? { duration: load.seconds } : { amount: load.amount }),
    requests,
    setupClient: (client) => {
      const first = Math.floor((clients * requests.length) / load.connections);
      clients += 1;
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  process.send?.(outcomeOf(result, seconds));
  process.disconnect();
}

/** Runs the load; `seconds` is its duration. */
function measured(
  options: autocannon.Options,
): Promise<{ readonly result: autocannon.Result; readonly seconds: number }> {
  return new Promise((resolve, reject) => {
    let [began, lastReply] = [0, 0];
    const running = autocannon(options, (error, result) => {
      // With a fixed number of requests, the generator notices only at its next sample, once a second, that all are
      // answered. So the time of the last reply is used.
      const seconds = options.amount === undefined ? result.duration : (lastReply - began) / 1000;
      if (error) reject(error as Error);
      else resolve({ result, seconds });
    });
    running.on('start', () => (began = performance.now()));
    running.on('response', () => (lastReply = performance.now()));
  });
}

function outcomeOf(result: autocannon.Result, seconds: number): LoadResult | { readonly failed: string } {
  const { errors, non2xx, timeouts } = result;
  if (errors + non2xx + timeouts > 0) {
    return { failed: `${non2xx} refusals, ${errors} errors, ${timeouts} time-outs` };
  }
  return {
    rate: result['2xx'] / seconds,
    replies: result['2xx'],
    p50: result.latency.p50,
    p99: result.latency.p99,
    bytesPerReply: result.throughput.total / result['2xx'],
  };
}

await main();
