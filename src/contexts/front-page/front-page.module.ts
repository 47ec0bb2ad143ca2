import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Descriptions } from '../channels/channel-listing.js';
import { FrontPageController } from './front-page.controller.js';

/** The page at the server's address. */
@Module({ imports: [CqrsModule], controllers: [FrontPageController], providers: [Descriptions] })
export class FrontPageModule {}
