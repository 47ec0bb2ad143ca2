import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { plainLines } from '../../src/audit/sentences/wording.js';
import { printable, printableJson } from '../../src/cli/terminal-text.js';
import { processTerminal } from '../../src/cli/terminal.js';

const title = '\u001b]0;Root\u0007';
const shown = '\ufffd]0;Root\ufffd';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('what somebody wrote', () => {
  it('reaches a terminal without control characters, except line breaks and tabs', () => {
    expect(printable(`one\r\ntwo\t${title}\u009b2J\rthree`)).toBe(`one\ntwo\t${shown}\ufffd2J\ufffdthree`);
  });

  it('may have the colours of the commands only, and only where they are shown', () => {
    const coloured = '\u001b[32m{+new+}\u001b[39m\u001b[8m';
    expect(printable(coloured, { colours: true })).toBe('\u001b[32m{+new+}\u001b[39m\ufffd[8m');
    expect(printable(coloured)).toBe('\ufffd[32m{+new+}\ufffd[39m\ufffd[8m');
  });

  it('is the same value in JSON, with nothing that a terminal interprets', () => {
    const value = { text: `a\u009b2J\u007f${title}` };
    const json = printableJson(JSON.stringify(value));
    expect(json).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(json)).toEqual(value);
  });

  it('keeps its lines and its indentation in a history, whose colours it cannot use', () => {
    expect(plainLines('  one\n\u001b[32mtwo\u202e')).toEqual(['  one', '\ufffd[32mtwo\ufffd']);
  });

  it.each([
    [false, `${shown}\n`],
    [true, `${title}\n`],
  ])('is printed so by every command (JSON: %s)', async (json, expected) => {
    const written: unknown[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text: unknown) => written.push(text) > 0);
    jest.spyOn(process.stderr, 'write').mockImplementation((text: unknown) => written.push(text) > 0);
    const terminal = processTerminal({ json });
    // JSON has these characters only escaped.
    await terminal.print(title);
    terminal.say(title);
    expect(written).toEqual([expected, `${shown}\n`]);
  });
});
