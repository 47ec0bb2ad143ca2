import { IntegerParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /reminders (specification). */
export class RequestReminderParameters {
  @IntegerParameter({ example: 1, required: true, description: 'The message to be reminded of.' })
  message_id!: number;

  @IntegerParameter({
    example: 4_102_444_800,
    required: true,
    description: 'When: seconds since the UNIX epoch.',
  })
  scheduled_delivery_timestamp!: number;

  @TextParameter({ example: 'Read it again', description: 'What is said with it: at most 500 code points.' })
  note?: string;
}
