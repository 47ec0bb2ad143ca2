import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /events (facts of the events, section 1). */
export class GetEventsParameters {
  @TextParameter({ required: true, description: 'As POST /register answered it.' })
  queue_id!: string;

  @IntegerParameter({
    required: true,
    description: 'The last event that the client has: those up to it are dropped. -1 at first.',
  })
  last_event_id!: number;

  @BooleanParameter({ description: 'Answer at once, though there may be no events. Default false.' })
  dont_block?: boolean;
}

/** Parameters of DELETE /events. */
export class DeleteQueueParameters {
  @TextParameter({ required: true, description: 'As POST /register answered it.' })
  queue_id!: string;
}
