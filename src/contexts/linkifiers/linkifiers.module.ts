import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import {
  AddLinkifierHandler,
  ChangeLinkifierHandler,
  RemoveLinkifierHandler,
  ReorderLinkifiersHandler,
} from './commands/linkifiers.js';
import { LinkifiersController } from './linkifiers.controller.js';
import { GetLinkifiersHandler } from './queries/linkifiers.js';

/** The rules by which texts become links. */
@Module({
  imports: [CqrsModule],
  controllers: [LinkifiersController],
  providers: [
    AddLinkifierHandler,
    ChangeLinkifierHandler,
    RemoveLinkifierHandler,
    ReorderLinkifiersHandler,
    GetLinkifiersHandler,
  ],
})
export class LinkifiersModule {}
