import { z } from 'zod';

/** Answered by `GET streams/{stream_id}/email_address`. */
export const channelAddressReply = { email: z.string() };
