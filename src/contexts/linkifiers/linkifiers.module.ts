import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddLinkifierHandler } from './commands/add-linkifier.js';
import { ChangeLinkifierHandler } from './commands/change-linkifier.js';
import { RemoveLinkifierHandler } from './commands/remove-linkifier.js';
import { ReorderLinkifiersHandler } from './commands/reorder-linkifiers.js';
import { LinkifierChanges } from './linkifier-changes.js';
import { LinkifiersController } from './linkifiers.controller.js';
import { GetLinkifiersHandler } from './queries/get-linkifiers.js';

/** The rules by which texts become links. */
@Module({
  imports: [CqrsModule],
  controllers: [LinkifiersController],
  providers: [
    LinkifierChanges,
    AddLinkifierHandler,
    ChangeLinkifierHandler,
    RemoveLinkifierHandler,
    ReorderLinkifiersHandler,
    GetLinkifiersHandler,
  ],
})
export class LinkifiersModule {}
