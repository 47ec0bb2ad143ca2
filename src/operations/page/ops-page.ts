import type { FastifyInstance } from 'fastify';
import { OPS_SCRIPT } from './ops-script.js';

/** Where the operators' page is. */
const OPS_PATH = '/ops';

/** The page runs nothing but its own script, and asks nobody but this server. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Palimpsest operations</title>
    <link rel="stylesheet" href="ops/page.css">
  </head>
  <body>
    <h1>Operations</h1>
    <form id="login">
      <label>E-mail <input id="email" type="email" autocomplete="username" required></label>
      <label>API key <input id="key" type="password" autocomplete="current-password" required></label>
      <button>Show</button>
      <p id="failure" role="alert"></p>
    </form>
    <main id="main" hidden>
      <h2>Read models</h2>
      <div id="models"></div>
      <h2>Dead letters</h2>
      <ul id="letters"></ul>
      <h2>Log</h2>
      <label>From position <input id="slider" type="range" min="0" max="0" value="0"> <output id="position"></output></label>
      <table><tbody id="events"></tbody></table>
    </main>
    <script src="ops/page.js"></script>
  </body>
</html>
`;

const STYLE = `
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; max-width: 80em; color: #222; background: #fff; }
label { margin-right: 1em; }
#models { display: grid; grid-template-columns: repeat(auto-fill, minmax(22em, 1fr)); gap: 1em; }
.model { border: 1px solid #bbb; border-radius: 6px; padding: .6em; }
.model.halted { border-color: #b00; background: #fee; }
.model h3 { margin: 0 0 .3em; font-size: 1em; }
canvas { width: 100%; height: 60px; display: block; background: #f6f6f6; }
progress { width: 100%; }
#slider { width: 40em; vertical-align: middle; }
td { padding: .1em .8em .1em 0; vertical-align: top; font-variant-numeric: tabular-nums; }
td:last-child { font-family: ui-monospace, monospace; font-size: .85em; word-break: break-all; }
#failure { color: #b00; }
`;

/** Serves the operators' page. It holds no data: its script asks the API, with the key of the owner who looks. */
export function registerOpsPage(fastify: FastifyInstance): void {
  const files = [
    [OPS_PATH, 'text/html; charset=utf-8', PAGE],
    [`${OPS_PATH}/page.css`, 'text/css; charset=utf-8', STYLE],
    [`${OPS_PATH}/page.js`, 'text/javascript; charset=utf-8', OPS_SCRIPT],
  ] as const;
  for (const [path, type, content] of files) {
    fastify.get(path, async (_request, reply) =>
      reply
        .type(type)
        .header('content-security-policy', POLICY)
        .header('x-content-type-options', 'nosniff')
        .send(content),
    );
  }
}
