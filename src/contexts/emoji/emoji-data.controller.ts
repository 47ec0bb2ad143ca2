import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../http/documentation.decorators.js';
import { Public } from '../../http/authentication/authentication.decorators.js';
import { RawEnvelope } from '../../http/envelope.js';
import { emojiNamesByCode } from '../../markdown/emoji.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { emojiNamesReply } from './client-schemas.js';

/** The names of the built-in emoji, at the URL that clients get as `server_emoji_data_url`. */
@ApiTags('real time')
@Public()
@Controller()
export class EmojiDataController {
  private readonly data = RawEnvelope.ofObject(JSON.stringify({ code_to_names: emojiNamesByCode }));

  /** Lists the names of every built-in emoji by its code, the preferred name first. */
  @Reply(emojiNamesReply)
  @Get('static/emoji.json')
  names(): RawEnvelope {
    return this.data;
  }
}
