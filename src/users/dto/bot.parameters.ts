import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of POST /bots (facts, section 5). */
export class CreateBotParameters {
  @TextParameter({ example: 'Relay', required: true, description: '2 to 100 characters.' })
  full_name!: string;

  @TextParameter({ example: 'relay', required: true, description: 'What the bot’s address begins with.' })
  short_name!: string;

  @IntegerParameter({
    description: '1 generic (default), 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
  })
  bot_type?: number;
}

/** Parameters of PATCH /bots/{bot_id}. */
export class UpdateBotParameters {
  @TextParameter({ description: '2 to 100 characters.' })
  full_name?: string;

  @IntegerParameter({ description: 'The person to give it to.' })
  bot_owner_id?: number;
}
