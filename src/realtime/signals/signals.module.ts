import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from '../../../projections/engine/logger.js';
import type { Clock } from '../../kernel/clock.js';
import { SignalExchange } from './signal-exchange.js';

/** What signals need from the node. */
interface SignalsNode {
  /** Absent: there are no other processes. */
  readonly signals?: SignalExchange;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique among all processes that share the stores. */
  readonly processName: string;
}

/** Presence and typing: sent to clients and between processes, never written to the log. */
@Global()
@Module({})
export class SignalsModule {
  static register({ signals, clock, logger, processName }: SignalsNode): DynamicModule {
    const exchange = signals ?? new SignalExchange({ store: null, clock, logger, self: processName });
    const providers = [{ provide: SignalExchange, useValue: exchange }];
    return { module: SignalsModule, providers, exports: providers };
  }
}
