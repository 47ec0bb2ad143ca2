import { z } from 'zod';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { ChannelSettingsParameters } from './channel-settings.parameters.js';

/** Parameters of POST /channels/create (facts, section 1, CHANNEL_ALREADY_EXISTS). */
export class CreateChannelParameters extends ChannelSettingsParameters {
  @TextParameter({ example: 'looms', required: true, description: 'The name: 1 to 60 code points.' })
  name!: string;

  @TextParameter({ description: 'Markdown, at most 1024 code points. Default empty.' })
  description?: string;

  @JsonParameter({
    example: [3],
    required: true,
    schema: z.array(z.number().int()),
    description: 'Ids of the people to subscribe.',
  })
  subscribers!: number[];

  @BooleanParameter({ description: 'Whether new people are subscribed to it. Default false.' })
  is_default_channel?: boolean;

  @BooleanParameter({ description: 'Whether the creation is made known to everyone. Default false.' })
  announce?: boolean;
}
