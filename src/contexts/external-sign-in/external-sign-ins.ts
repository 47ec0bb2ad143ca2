import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { EXTERNAL_SIGN_IN_PATH } from '../../http/authentication/external-methods.js';
import type { RequestOrigin } from '../../http/authentication/request-origin.js';
import { TextParameter } from '../../http/parameters/parameter-decorators.js';
import { PublicAddress } from '../../http/public-address.js';
import { failure } from '../../kernel/errors.js';
import { Admission, type LoggedIn } from '../users/admission.js';
import { SignInExternally } from './commands/sign-in-externally.js';
import { OpenIdProvider } from './open-id-provider.js';
import { EncryptedCookies } from './encrypted-cookies.js';

/** The query parameters of the path at which people begin to sign in. */
export class BeginSignInParameters {
  @TextParameter({
    description: 'What follows the sign-in: `console`, or `credentials`, which is the default.',
  })
  next?: string;

  @TextParameter({
    description:
      'For phone apps: 64 hexadecimal digits, a one-time pad that encrypts the API key on its way to the app.',
  })
  mobile_flow_otp?: string;
}

const otpForm = /^[\da-f]{64}$/i;

/** @throws ApplicationError `mobileFlowOtpInvalid` */
function assertMobileFlowOtp(otp: string): void {
  if (!otpForm.test(otp)) throw failure('mobileFlowOtpInvalid');
}

/** A person who signs in on a phone, and the one-time pad of the app. */
interface MobileSignIn {
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

/** The state that is kept while a browser is at the provider. */
const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.enum(['console', 'credentials']),
  /** Null: no phone app is waiting for the key. */
  otp: z.string().nullable(),
});

const ticketSchema = z.object({ userId: z.number() });

/** What a browser brings back from the provider. */
interface ProviderAnswer {
  /** With its question mark. */
  readonly query: string;
  /** The `cookie` header. */
  readonly cookie: string | undefined;
  readonly origin: RequestOrigin;
}

/** The result of a sign-in: where the person continues. */
export type SignInResult =
  | { readonly kind: 'app'; readonly url: string }
  | { readonly kind: 'page'; readonly next: 'console' | 'credentials'; readonly cookie: string };

/** Takes people through a sign-in with the provider: redirection, return, and issue of a key. */
@Injectable()
export class ExternalSignIns {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly cookies: EncryptedCookies,
    private readonly commands: CommandBus,
    private readonly admission: Admission,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
  ) {}

  /** @throws ApplicationError `mobileFlowOtpInvalid`, or those of {@link OpenIdProvider.begin} */
  async begin({
    next,
    mobile_flow_otp: otp = null,
  }: {
    readonly [Name in keyof BeginSignInParameters]?: BeginSignInParameters[Name] | null;
  }): Promise<{ readonly url: string; readonly cookie: string }> {
    if (otp !== null) assertMobileFlowOtp(otp);
    const { url, challenge } = await this.provider.begin(this.redirectUri);
    const flow = { ...challenge, next: next === 'console' ? next : 'credentials', otp };
    return { url: url.href, cookie: await this.cookies.seal('flow', flow) };
  }

  /** @throws ApplicationError `externalSignInExpired`, or those of {@link OpenIdProvider.complete} and {@link SignInExternally} */
  async complete({ query, cookie, origin }: ProviderAnswer): Promise<SignInResult> {
    const flow = flowSchema.safeParse(await this.cookies.open('flow', cookie));
    if (!flow.success) throw failure('externalSignInExpired');
    const { next, otp, ...challenge } = flow.data;
    const identity = await this.provider.complete(new URL(`${this.redirectUri}${query}`), challenge);
    const user = await this.commands.execute(new SignInExternally(identity, origin.client));
    if (otp === null)
      return { kind: 'page', next, cookie: await this.cookies.seal('ticket', { userId: user.id }) };
    const { apiKey } = await this.admission.admit(user, { method: 'openid-connect', origin });
    const { email, id: userId } = user;
    return { kind: 'app', url: mobileAppUrl({ apiKey, email, userId, site: this.address.url, otp }) };
  }

  /**
   * Issues a key to a person who has just signed in.
   *
   * @param cookie the `cookie` header
   * @throws ApplicationError `externalSignInExpired`, `userDeactivated`
   */
  async admit(cookie: string | undefined, origin: RequestOrigin): Promise<LoggedIn> {
    const ticket = ticketSchema.safeParse(await this.cookies.open('ticket', cookie));
    const user = ticket.success ? this.follower.current().user(ticket.data.userId) : null;
    if (user === null) throw failure('externalSignInExpired');
    return this.admission.admit(user, { method: 'openid-connect', origin });
  }

  private get redirectUri(): string {
    return `${this.address.url}/${EXTERNAL_SIGN_IN_PATH}/callback`;
  }
}
