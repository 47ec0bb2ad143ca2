import { IntegerParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /streams/{stream_id}/email_address. */
export class GetChannelAddressParameters {
  @IntegerParameter({
    description: 'In whose name: the caller, a bot of theirs, or the e-mail gateway (default).',
  })
  sender_id?: number;
}
