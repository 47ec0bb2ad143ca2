import { IsIn } from 'class-validator';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { propagationModes, type PropagationMode } from '../../../events/message-moves.js';

/** Parameters of PATCH /messages/{message_id} (specification). */
export class EditMessageParameters {
  @TextParameter({
    example: 'Note **G** is finished.',
    description: 'The new text: Markdown, at most 10,000 code points; what is longer is cut.',
  })
  content?: string;

  @TextParameter({
    description: 'SHA-256 of the text that the client believes it replaces; a mismatch is an error.',
  })
  prev_content_sha256?: string;

  @TextParameter({
    alias: 'subject',
    description: 'The new topic, at most 60 code points; what is longer is cut. Only for channel messages.',
  })
  topic?: string;

  @IntegerParameter({
    description:
      'The channel that they move to. Only for channel messages, and not together with a new text.',
  })
  stream_id?: number;

  @TextParameter({
    values: propagationModes,
    description: 'What moves along: nothing, the later messages of the topic, or all of it.',
  })
  @IsIn(propagationModes)
  propagate_mode?: PropagationMode;

  @BooleanParameter({
    description: 'Whether the notification bot says so where they were; false by default.',
  })
  send_notification_to_old_thread?: boolean;

  @BooleanParameter({
    description:
      'Whether the notification bot says so where they went; true by default. A mark of a topic is told apart from it.',
  })
  send_notification_to_new_thread?: boolean;
}
