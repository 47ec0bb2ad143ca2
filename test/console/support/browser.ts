import { describe } from '@jest/globals';
import { chromiumFile } from './test-browser.js';

/** A suite that drives a real browser; without one it is skipped, and its name says why. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumFile === undefined) describe.skip(`${name} (NOT RUN: there is no Chromium here)`, tests);
  else describe(name, tests);
}
