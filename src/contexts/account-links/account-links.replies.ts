import { z } from 'zod';

export const confirmedEmailReply = { email: z.string().describe('The account’s address from now on') };
