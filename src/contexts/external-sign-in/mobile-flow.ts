import { failure } from '../../kernel/errors.js';

const otpForm = /^[\da-f]{64}$/i;

/** @throws ApplicationError `mobileFlowOtpInvalid` */
export function assertMobileFlowOtp(otp: string): void {
  if (!otpForm.test(otp)) throw failure('mobileFlowOtpInvalid');
}

/** A person who signs in on a phone, and the one-time pad of the app. */
export interface MobileSignIn {
  readonly apiKey: string;
  readonly email: string;
  readonly userId: number;
  /** Address of the server. */
  readonly site: string;
  /** 64 hexadecimal digits. */
  readonly otp: string;
}

/**
 * The URL by which a phone's browser passes a key to the app that began the sign-in, in the form that apps of
 * this API expect. Another app on the phone might intercept the URL: the key is therefore XORed with a pad
 * that only the right app knows.
 */
export function mobileAppUrl({ apiKey, email, userId, site, otp }: MobileSignIn): string {
  const [key, pad] = [Buffer.from(apiKey, 'ascii'), Buffer.from(otp, 'hex')];
  if (key.length !== pad.length) throw new Error('A key and its one-time pad differ in length');
  const encrypted = Buffer.from(key.map((byte, index) => byte ^ pad[index]!));
  const query = new URLSearchParams({
    otp_encrypted_api_key: encrypted.toString('hex'),
    email,
    user_id: String(userId),
    realm: site,
  });
  return `zulip://login?${query.toString()}`;
}
