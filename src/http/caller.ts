import { failure } from '../kernel/errors.js';

/**
 * The authenticated sender of a request. What they may do is decided from the directory when a command is
 * handled.
 */
export interface Caller {
  readonly userId: number;
  /** Name of the client program: the User-Agent up to its first slash. */
  readonly client: string;
  /**
   * The client's IP address, as trusted proxies report it. Absent: the request did not come over a
   * connection.
   */
  readonly address?: string;
  /** The request's id in the process's log. */
  readonly requestId: string;
}

/** Checks Basic credentials; implemented by the users context. */
export abstract class Authenticator {
  /**
   * @param email the account's delivery address, in any case
   * @param apiKey the key from the request
   * @returns the account's id
   * @throws ApplicationError `invalidApiKey` for every failure
   */
  abstract authenticate(email: string, apiKey: string): Promise<number>;

  /** Whether all credentials are refused, because the organization is closed. */
  isDeactivated(): boolean {
    return false;
  }

  /**
   * Like {@link authenticate} for programs that can be configured with a URL only, which contains the key.
   * Refuses everybody unless a subclass overrides it.
   *
   * @throws ApplicationError `invalidApiKey`
   */
  authenticateByKey(_apiKey: string): Promise<number> {
    return Promise.reject(failure('invalidApiKey'));
  }
}
