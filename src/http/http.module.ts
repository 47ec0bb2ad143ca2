import { type DynamicModule, Module } from '@nestjs/common';
import type { OwnerOf } from '../access/account-owners.js';
import type { Configuration } from '../config.js';
import type { Clock } from '../kernel/clock.js';
import { AfterReply } from './after-reply.js';
import type { Logger } from './monitoring/logger.js';
import { LoginAttempts } from './limits/login-attempts.js';
import { RequestLimits } from './limits/request-limits.js';
import { Draining, HealthIndicators } from './monitoring/health.js';
import { Metrics } from './monitoring/metrics.js';

/** What the HTTP layer uses of the node. */
interface HttpServices {
  readonly logger: Pick<Logger, 'error'>;
  /** Absent: no account has an owner. */
  readonly ownerOf?: OwnerOf;
}

/**
 * Exports the services of the HTTP layer: {@link HealthIndicators} and {@link Metrics} to register with,
 * {@link LoginAttempts} to guard log-ins, {@link Draining} to end long polls, {@link AfterReply} for work
 * that no reply waits for.
 */
@Module({})
export class HttpModule {
  static register(
    configuration: Pick<Configuration, 'rateLimitPerMinute'>,
    clock: Clock,
    { logger, ownerOf }: HttpServices,
  ): DynamicModule {
    const providers = [
      { provide: RequestLimits, useValue: new RequestLimits(configuration, clock, ownerOf) },
      { provide: LoginAttempts, useValue: new LoginAttempts(configuration, clock) },
      { provide: HealthIndicators, useValue: new HealthIndicators() },
      { provide: Metrics, useValue: new Metrics() },
      { provide: AfterReply, useValue: new AfterReply(logger) },
      { provide: Draining, useValue: new Draining() },
    ];
    return { module: HttpModule, global: true, providers, exports: providers };
  }
}
