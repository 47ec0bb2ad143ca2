import { failure } from '../kernel/errors.js';

/** Who sends a request, after authentication. What they may do is decided from the directory when a command is handled. */
export interface Caller {
  readonly userId: number;
  /** Name of the client program: the User-Agent up to its first slash. */
  readonly client: string;
  /** The client's IP address, behind trusted proxies as they tell it. Absent: the request came by no connection. */
  readonly address?: string;
  /** The request's id in the log. */
  readonly requestId: string;
}

/** Resolves Basic credentials; implemented by the users context. */
export abstract class Authenticator {
  /**
   * @param email the account's delivery address, any case
   * @param apiKey as sent
   * @returns the account's id
   * @throws ApplicationError `invalidApiKey` for every failure (specification, "Authentication")
   */
  abstract authenticate(email: string, apiKey: string): Promise<number>;

  /** Whether nobody at all is let in, whatever their credentials. */
  isClosed(): boolean {
    return false;
  }

  /**
   * {@link authenticate} for programs that can be given an address and nothing else: the key stands in it. Nobody, unless the accounts say more.
   *
   * @throws ApplicationError `invalidApiKey`
   */
  authenticateByKey(_apiKey: string): Promise<number> {
    return Promise.reject(failure('invalidApiKey'));
  }
}
