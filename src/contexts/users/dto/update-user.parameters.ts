import {
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { profileDataSchema, type SentProfileData } from '../../profiles/dto/profile-data.parameters.js';

/** Parameters of PATCH /users/{user_id} (specification). */
export class UpdateUserParameters {
  @TextParameter({ description: '2 to 100 characters.' })
  full_name?: string;

  @IntegerParameter({ description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.' })
  role?: number;

  @JsonParameter({
    schema: profileDataSchema,
    description: 'Profile fields by their ids: `[{"id": 1, "value": "Ada"}]`; null clears one.',
  })
  profile_data?: SentProfileData;

  @TextParameter({ description: 'Another address, for owners who may change those of others.' })
  new_email?: string;
}
