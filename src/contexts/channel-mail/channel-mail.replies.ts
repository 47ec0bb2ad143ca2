import { z } from 'zod';

export const channelAddressReply = { email: z.string() };
