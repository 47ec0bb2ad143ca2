import { z } from 'zod';
import type { Described } from '../../http/replies/named-schema.js';

/** Whether a person has a second factor. */
export const secondFactorSchema = z.strictObject({
  is_enabled: z.boolean(),
  recovery_codes_left: z.int().describe('That are unused'),
});

/** Type of {@link secondFactorSchema}. */
export type SecondFactorObject = Described<typeof secondFactorSchema>;

/** Answered by `GET users/me/second_factor`. */
export const secondFactorReply = secondFactorSchema.shape;

/** Answered by `POST users/me/second_factor`; cannot be read again. */
export const begunSecondFactorReply = {
  secret: z.string().describe('Base32, for whoever types it into an authenticator app'),
  uri: z.string().describe('The same as an address `otpauth://`, for a QR code'),
};

/** Answered by `POST users/me/second_factor/confirm`; cannot be read again. */
export const recoveryCodesReply = { recovery_codes: z.array(z.string()) };
