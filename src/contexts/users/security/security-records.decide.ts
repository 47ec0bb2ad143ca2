import type {
  ApiKeyEnded,
  ApiKeyIssued,
  LoggedIn,
  OwnDataExported,
  SecurityEvent,
} from '../../../events/security.js';
import type { RequestOrigin } from '../../../http/authentication/request-origin.js';
import type { EventOf } from '../../../kernel/event.js';

/** A person who proved who they are, and their new key. */
interface LogIn {
  readonly userId: number;
  readonly method: EventOf<typeof LoggedIn>['data']['method'];
  readonly keyId: string;
  /** Ids of the keys that ended because the person had too many. */
  readonly displacedIds: readonly string[];
}

/** Somebody logged in, and with that ended their oldest keys. */
export function decideRecordLogIn(
  { userId, method, keyId, displacedIds }: LogIn,
  origin: RequestOrigin,
): readonly SecurityEvent[] {
  return [
    { type: 'LoggedIn', data: { userId, method, keyId, ...origin } },
    ...displacedIds.flatMap((id) => decideEndApiKey({ userId, reason: 'displaced', keyId: id, ...origin })),
  ];
}

/** A key was issued other than by logging in. */
export function decideIssueApiKey(
  data: EventOf<typeof ApiKeyIssued>['data'],
): readonly EventOf<typeof ApiKeyIssued>[] {
  return [{ type: 'ApiKeyIssued', data }];
}

/** A single key of an account ended. */
export function decideEndApiKey(
  data: EventOf<typeof ApiKeyEnded>['data'],
): readonly EventOf<typeof ApiKeyEnded>[] {
  return [{ type: 'ApiKeyEnded', data }];
}

/** Somebody requested or downloaded a copy of everything that is stored about them. */
export function decideExportOwnData(
  data: EventOf<typeof OwnDataExported>['data'],
): readonly EventOf<typeof OwnDataExported>[] {
  return [{ type: 'OwnDataExported', data }];
}
