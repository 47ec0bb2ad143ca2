import { failure } from '../../kernel/errors.js';
import type { ChosenSettings } from '../../access/records/personal-settings.js';

/** The effect of a short command, and the text of the reply. */
export interface ShortCommand {
  readonly settings: ChosenSettings;
  readonly reply: string;
}

const commands: Readonly<Record<string, ShortCommand>> = {
  ping: { settings: {}, reply: '' },
  dark: { settings: { color_scheme: 2 }, reply: 'The theme is dark now; `/light` takes that back.' },
  night: { settings: { color_scheme: 2 }, reply: 'The theme is dark now; `/light` takes that back.' },
  light: { settings: { color_scheme: 3 }, reply: 'The theme is light now; `/dark` takes that back.' },
  day: { settings: { color_scheme: 3 }, reply: 'The theme is light now; `/dark` takes that back.' },
  'fluid-width': {
    settings: { fluid_layout_width: true },
    reply: 'The width is fluid now; `/fixed-width` takes that back.',
  },
  'fixed-width': {
    settings: { fluid_layout_width: false },
    reply: 'The width is fixed now; `/fluid-width` takes that back.',
  },
};

/**
 * The short command that was typed, with its slash.
 *
 * @throws ApplicationError `unknownShortCommand`
 */
export function shortCommand(typed: string): ShortCommand {
  const name = typed.startsWith('/') ? typed.slice(1) : '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw failure('unknownShortCommand');
  return command;
}
