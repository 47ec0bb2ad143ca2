import { IsIn } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  JsonOrTextParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';

const addressees = z.union([z.string(), z.number().int(), z.array(z.string()), z.array(z.number().int())]);

const types = ['stream', 'channel', 'private', 'direct'] as const;

/** Parameters of POST /messages (facts, section 5). */
export class SendMessageParameters {
  @TextParameter({
    example: 'direct',
    required: true,
    values: types,
    description: 'Whether it goes to a channel or directly to people.',
  })
  @IsIn(types)
  type!: (typeof types)[number];

  @JsonOrTextParameter({
    // The first owner has this id in every organization.
    example: '[3]',
    schema: addressees,
    description:
      'A channel’s name or id; or ids or addresses of people, as a JSON list or separated by commas. Required but for bots that have a channel to send to.',
  })
  to?: z.infer<typeof addressees>;

  @TextParameter({
    alias: 'subject',
    description: 'The topic; required for channel messages.',
  })
  topic?: string;

  @TextParameter({
    example: 'Note **G** is ready.',
    required: true,
    description: 'Markdown, at most 10,000 code points; what is longer is cut.',
  })
  content!: string;

  @TextParameter({ description: 'The client’s event queue; with `local_id` it names this message.' })
  queue_id?: string;

  @TextParameter({ description: 'The client’s own name for this message: sent again, it is not sent twice.' })
  local_id?: string;

  @BooleanParameter({
    description: 'Whether the sender’s copy counts as read; by default for interactive clients.',
  })
  read_by_sender?: boolean;

  @TextParameter({
    description:
      'Buttons below the text, as JSON of at most 10,000 code points: who presses one sends its `reply`. `{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "Again?", "choices": [{"short_name": "A", "long_name": "Yes", "reply": "again"}]}}`',
  })
  widget_content?: string;
}
