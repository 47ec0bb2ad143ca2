import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { ApplicationNode } from '../application-node.js';
import { SignalExchange } from './signal-exchange.js';
import { Signals } from './signals.js';

/** Who is here and who types: what is told to clients and between processes, and never enters the log. */
@Global()
@Module({})
export class SignalsModule {
  static register({ stores, clock, logger, holder }: ApplicationNode): DynamicModule {
    const exchange = new SignalExchange({ store: stores.signalStore, clock, logger, self: holder });
    const providers = [{ provide: SignalExchange, useValue: exchange }, Signals];
    return { module: SignalsModule, providers, exports: providers };
  }
}
