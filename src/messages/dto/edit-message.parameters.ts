import { IsHexadecimal, Length } from 'class-validator';
import { TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of PATCH /messages/{message_id} (specification). */
export class EditMessageParameters {
  @TextParameter({
    description: 'The new text: Markdown, at most 10,000 code points; what is longer is cut.',
  })
  content?: string;

  @TextParameter({
    description: 'SHA-256 of the text that the client believes it replaces; a mismatch is an error.',
  })
  @IsHexadecimal()
  @Length(64, 64)
  prev_content_sha256?: string;
}
