import { BooleanParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /messages/{message_id} and its history (facts, section 5). */
export class GetMessageParameters {
  @BooleanParameter({ description: 'HTML rather than raw Markdown. Default true.' })
  apply_markdown?: boolean;

  @BooleanParameter({
    description: 'Return the empty topic as it is rather than by its display name. Default false.',
  })
  allow_empty_topic_name?: boolean;
}
