import { describe } from '@jest/globals';
import { chromiumFile } from './test-browser.js';

/**
 * A suite that drives a real browser. Without one it is skipped, and its name says why; with
 * `REQUIRE_BROWSER=true`, which `.ci/run` sets after installing one, it fails.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumFile === undefined && process.env['REQUIRE_BROWSER'] === 'true')
    throw new Error(`${name}: there is no Chromium here`);
  if (chromiumFile === undefined) describe.skip(`${name} (NOT RUN: there is no Chromium here)`, tests);
  else describe(name, tests);
}
