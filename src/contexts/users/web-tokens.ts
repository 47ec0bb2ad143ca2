import type { errors, JWTPayload } from 'jose';
import type { Clock } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';
import type { WebTokenConfiguration } from '../../configuration/web-token-configuration.js';

/** Maximum length of a token, in characters. */
export const MAX_TOKEN_LENGTH = 8_192;

/**
 * Verifies JSON Web Tokens with the configured key and algorithms; what a token says about these is ignored.
 */
export class WebTokens {
  constructor(
    private readonly configuration: WebTokenConfiguration | null,
    private readonly clock: Clock,
  ) {}

  /**
   * The address in the claim `email` of a token. `exp` and `nbf` are honoured to the second.
   *
   * @param token empty: none was sent
   * @throws ApplicationError `webTokensNotConfigured`, `webTokenMissing`, `webTokenTooLong`,
   * `invalidWebToken`, `webTokenWithoutEmail`
   */
  async emailOf(token: string): Promise<string> {
    if (this.configuration === null) throw failure('webTokensNotConfigured');
    if (token === '') throw failure('webTokenMissing');
    if (token.length > MAX_TOKEN_LENGTH) throw failure('webTokenTooLong');
    const { email } = await this.verified(token, this.configuration);
    if (typeof email !== 'string' || email === '') {
      throw failure('webTokenWithoutEmail');
    }
    return email;
  }

  private async verified(
    token: string,
    { key, algorithms, claims }: WebTokenConfiguration,
  ): Promise<JWTPayload> {
    const jose = await import('jose');
    try {
      const { audience, issuer, requiresExpiry } = claims;
      const options = {
        algorithms: [...algorithms],
        currentDate: new Date(this.clock.now()),
        ...(audience !== null && { audience }),
        ...(issuer !== null && { issuer }),
        ...(requiresExpiry === true && { requiredClaims: ['exp'] }),
      };
      return (await jose.jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof jose.errors.JOSEError)) throw error;
      throw failure('invalidWebToken', { reason: faultOf(error) });
    }
  }
}

/** Our own error texts: those of the library name the value that the server expects. */
function faultOf({
  code,
  claim,
  reason,
}: errors.JOSEError & { readonly claim?: unknown; readonly reason?: unknown }): string {
  if (code === 'ERR_JWT_EXPIRED') return 'it has expired';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'nbf') return 'it is not valid yet';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'aud') return 'it is not meant for this server';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'iss') return 'it comes from somebody else';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'exp' && reason === 'missing')
    return 'it does not say when it expires';
  return 'its signature or form is wrong';
}
