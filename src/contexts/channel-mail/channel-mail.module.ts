import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Configuration } from '../../config.js';
import { Vault } from '../../stores/key-store/vault.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PublicAddress } from '../../http/public-address.js';
import { ChannelAddresses } from './channel-address.js';
import { ChannelMailController } from './channel-mail.controller.js';
import { PostMailHandler } from './commands/post-mail.js';
import { GatewayBot } from './gateway-bot.js';
import { InboundMail } from './inbound-mail.js';
import { StoredAttachments } from './stored-attachments.js';
import { GetChannelAddressHandler } from './queries/get-channel-address.js';

/** Mail that becomes messages. The process starts its exported listener. */
@Module({})
export class ChannelMailModule {
  static register({
    configuration: { inboundMail },
  }: {
    readonly configuration: Pick<Configuration, 'inboundMail'>;
  }): DynamicModule {
    const addresses = {
      provide: ChannelAddresses,
      inject: [Vault, PublicAddress],
      useFactory: (vault: Vault, address: PublicAddress) =>
        new ChannelAddresses(vault, () => inboundMail.domain ?? address.domain),
    };
    return {
      module: ChannelMailModule,
      imports: [CqrsModule, MessagesModule],
      controllers: [ChannelMailController],
      providers: [
        addresses,
        GatewayBot,
        InboundMail,
        StoredAttachments,
        GetChannelAddressHandler,
        PostMailHandler,
      ],
      exports: [InboundMail],
    };
  }
}
