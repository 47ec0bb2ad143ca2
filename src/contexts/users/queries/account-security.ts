import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Caller } from '../../../http/caller.js';
import type { Described } from '../../../http/replies/common-schemas.js';
import { toSeconds } from '../../../kernel/clock.js';
import { apiKeyDigest, apiKeyId } from '../api-keys.js';
import { Credentials } from '../credentials.js';
import { SecondFactors } from '../second-factors.js';
import type { ApiKeyObject } from '../users.replies.js';

/** Whether a person has a second factor. */
const secondFactorSchema = z.strictObject({
  is_enabled: z.boolean(),
  recovery_codes_left: z.int().describe('The number of unused recovery codes'),
});

/** Type of {@link secondFactorSchema}. */
type SecondFactorObject = Described<typeof secondFactorSchema>;

/** Answered by `GET users/me/second_factor`. */
export const secondFactorReply = secondFactorSchema.shape;

/** Answered by `POST users/me/second_factor`; cannot be read again. */
export const begunSecondFactorReply = {
  secret: z.string().describe('Base32, for entering it into an authenticator app by hand'),
  uri: z.string().describe('The secret as an `otpauth://` address, for a QR code'),
};

/** Answered by `POST users/me/second_factor/confirm`; cannot be read again. */
export const recoveryCodesReply = { recovery_codes: z.array(z.string()) };

/** Lists the caller's live API keys. */
export class GetApiKeys extends Query<readonly ApiKeyObject[]> {
  constructor(
    readonly caller: Caller,
    /** The key that the request was sent with. */
    readonly current: string,
  ) {
    super();
  }
}

@QueryHandler(GetApiKeys)
export class GetApiKeysHandler implements IQueryHandler<GetApiKeys> {
  constructor(private readonly credentials: Credentials) {}

  async execute({ caller, current }: GetApiKeys): Promise<readonly ApiKeyObject[]> {
    await this.credentials.uses.idle();
    const currentDigest = apiKeyDigest(current);
    return (await this.credentials.liveKeys(caller.userId)).map((key) => ({
      id: apiKeyId(key.digest),
      client: key.client,
      created_at: toSeconds(key.createdAt),
      last_used_at: key.lastUsedAt === null ? null : toSeconds(key.lastUsedAt),
      is_current: key.digest === currentDigest,
    }));
  }
}

/** Reads whether the caller has a second factor. */
export class GetSecondFactor extends Query<SecondFactorObject> {
  constructor(readonly caller: Pick<Caller, 'userId'>) {
    super();
  }
}

@QueryHandler(GetSecondFactor)
export class GetSecondFactorHandler implements IQueryHandler<GetSecondFactor> {
  constructor(private readonly factors: SecondFactors) {}

  async execute({ caller }: GetSecondFactor): Promise<SecondFactorObject> {
    const { isEnabled, recoveryCodes } = await this.factors.of(caller.userId);
    return { is_enabled: isEnabled, recovery_codes_left: recoveryCodes };
  }
}
