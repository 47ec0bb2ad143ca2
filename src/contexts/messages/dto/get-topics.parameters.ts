import { BooleanParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /users/me/{stream_id}/topics (facts, section 5). */
export class GetTopicsParameters {
  @BooleanParameter({
    description: 'Return the empty topic as it is rather than by its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;
}
