import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PresenceSignals, ReportPresenceHandler } from './commands/report-presence.js';
import { PresenceBoard } from './presence-board.js';
import { PresenceController } from './presence.controller.js';
import { GetPresenceHandler, GetPresencesHandler } from './queries/presence.js';

/** Presence. Global, because notifications of missed messages depend on the {@link PresenceBoard}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [PresenceController],
  providers: [PresenceBoard, PresenceSignals, ReportPresenceHandler, GetPresenceHandler, GetPresencesHandler],
  exports: [PresenceBoard],
})
export class PresenceModule {}
