import { z } from 'zod';
import { JsonParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';
import type { Deletions } from '../deactivation.decide.js';

const actions = z.object({
  delete_profile: z.boolean().optional(),
  delete_public_channel_messages: z.boolean().optional(),
  delete_private_channel_messages: z.boolean().optional(),
  delete_direct_messages: z.boolean().optional(),
});

/** Parameters of DELETE /users/{user_id}. */
export class DeactivateUserParameters {
  @JsonParameter({
    schema: actions,
    description:
      'What to delete of them: `{"delete_profile", "delete_public_channel_messages", "delete_private_channel_messages", "delete_direct_messages"}`, each true or false.',
  })
  actions?: z.infer<typeof actions>;

  @TextParameter({
    description:
      'Writes to them by e-mail, with these words; empty: with none. Absent: nobody is written to.',
  })
  deactivation_notification_comment?: string;
}

/** What of somebody is to be deleted; what is left out stays. */
export function deletionsIn(sent: z.infer<typeof actions>): Deletions {
  return {
    profile: sent.delete_profile ?? false,
    publicChannelMessages: sent.delete_public_channel_messages ?? false,
    privateChannelMessages: sent.delete_private_channel_messages ?? false,
    directMessages: sent.delete_direct_messages ?? false,
  };
}
