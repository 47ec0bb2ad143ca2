import type { Command } from 'commander';
import { runs } from '../command.js';
import { momentHelp } from './moment.js';

/** `palimpsest audit at` */
export function atCommand(audit: Command): void {
  const at = audit
    .command('at')
    .argument('<moment>', momentHelp)
    .argument('<query>', 'path of a GET of the API, such as messages or users/me/subscriptions')
    .argument('[parameters...]', 'its parameters, name=value')
    .summary('ask the API what it would have answered in the past')
    .description(
      'Answers any query of the API as of a moment of the past: what people could see then, who was subscribed where, how a channel was set. The read models that the query needs are built from the log up to that moment, in a folder for temporary files, and asked by the very code that serves the present. Content that was erased since stays erased.',
    )
    .option('--as <who>', 'whose view it is: an id or an e-mail address; an owner’s if nobody is named')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit at 2026-11-20T18:00 messages --as ada@example.com anchor=newest num_before=20 num_after=0 \\
      'narrow=[{"operator":"channel","operand":"engines"}]'
  palimpsest audit at 1234 users/me/subscriptions --as 12
  palimpsest audit at 2026-11-20 users/12
  palimpsest audit at 2026-11-20 streams/3`,
    );
  runs(at, async () => (await import('./at.js')).askThePast);
}
