import { auditsStream, LogAudited } from '../../events/audit.js';
import type { Clock } from '../../kernel/clock.js';
import { noState } from '../../kernel/decider.js';
import type { Streams } from '../../kernel/decision.js';
import { handle } from '../../kernel/handle.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import type { ControlCommands } from '../../operations/control-socket.js';
import type { LookedAt } from './audit-access.decide.js';

/** Name of the control command that records an access. */
export const NOTE_LOOK = 'audit note';

/** Records in the log what operators read on the command line, and with which account. */
export class OperatorLooks {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** The event is in the log when this resolves. @param operator account of the operating system */
  async note(look: LookedAt, operator: string): Promise<void> {
    await handle(this.streams, {
      stream: auditsStream,
      fold: noState,
      decide: () => [{ type: LogAudited.type, data: { userId: null, operator, ...look } }],
      metadata: serverMetadata(randomCommandId(), this.clock.now()),
    });
  }

  /** The control command by which the command line asks for it. */
  get commands(): ControlCommands {
    return {
      [NOTE_LOOK]: {
        beside: async ({ look, operator }) => {
          const {
            userId: _nobody,
            operator: account,
            ...said
          } = LogAudited.schema.parse({
            userId: null,
            operator,
            ...(look as object),
          });
          await this.note(said, account ?? 'unknown');
        },
      },
    };
  }
}
