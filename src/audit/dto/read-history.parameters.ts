import { TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /audit/messages/{message_id}/history. */
export class ReadHistoryParameters {
  @TextParameter({
    description:
      'Also tell what somebody, by an id or an e-mail address, could see of the message: `views`, each from one `position` until the next.',
  })
  as?: string;
}
