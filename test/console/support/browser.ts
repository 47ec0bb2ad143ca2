import { describe } from '@jest/globals';
import { chromiumFile } from './test-browser.js';

/**
 * A suite that drives a real browser. Without one it is skipped, and its name says why; in CI it fails, unless
 * `NO_BROWSER` says that none can be installed.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumFile === undefined && process.env['CI'] === 'true' && process.env['NO_BROWSER'] !== 'true')
    throw new Error(`${name}: there is no Chromium here, and NO_BROWSER is not set`);
  if (chromiumFile === undefined) describe.skip(`${name} (NOT RUN: there is no Chromium here)`, tests);
  else describe(name, tests);
}
