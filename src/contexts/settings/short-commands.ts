import { failure } from '../../kernel/errors.js';
import type { ChosenSettings } from '../../access/records/personal-settings.js';

/** The effect of a short command, and the text of the reply. */
export interface ShortCommand {
  readonly settings: ChosenSettings;
  readonly told: string;
}

const commands: Readonly<Record<string, ShortCommand>> = {
  ping: { settings: {}, told: '' },
  dark: { settings: { color_scheme: 2 }, told: 'The theme is dark now; `/light` takes that back.' },
  night: { settings: { color_scheme: 2 }, told: 'The theme is dark now; `/light` takes that back.' },
  light: { settings: { color_scheme: 3 }, told: 'The theme is light now; `/dark` takes that back.' },
  day: { settings: { color_scheme: 3 }, told: 'The theme is light now; `/dark` takes that back.' },
  'fluid-width': {
    settings: { fluid_layout_width: true },
    told: 'The width is fluid now; `/fixed-width` takes that back.',
  },
  'fixed-width': {
    settings: { fluid_layout_width: false },
    told: 'The width is fixed now; `/fluid-width` takes that back.',
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
