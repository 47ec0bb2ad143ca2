import { z } from 'zod';

/** Answered by `POST accounts/confirm_new_email`. */
export const confirmedEmailReply = { email: z.string().describe('The account’s address from now on') };
