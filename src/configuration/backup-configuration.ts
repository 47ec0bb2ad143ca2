import { atLeastOne, ConfigurationError, oneOf, wholeNumber } from './configuration-values.js';
import type { S3Access } from './s3-access.js';

/** Where backups are stored, and how long they are kept. */
export interface BackupConfiguration {
  /** `BACKUP_TO`: a folder, or `s3://bucket/folder`; null: each command has to name one. */
  readonly to: string | null;
  /** `BACKUP_EVERY`, in seconds; null: the server makes no scheduled backups. */
  readonly everySeconds: number | null;
  /** `BACKUP_KEEP`: how many of the newest backups are kept. */
  readonly keep: number;
  /** `BACKUP_ERASED_DAYS`: days after an erasure at which backups from before it are deleted. */
  readonly erasedDays: number;
  /** `BACKUP_RECIPIENT`: an age public key; null: backups are not encrypted. */
  readonly recipient: string | null;
  /** `BACKUP_SERVER_KEY`: whether backups include `server.key`. */
  readonly withServerKey: boolean;
  /** Access to a bucket: `S3_ENDPOINT`, `S3_REGION` and the access keys. */
  readonly s3: S3Access;
}

const secondsOfUnit = { m: 60, h: 3600, d: 86_400 } as const;

/** Reads the configuration of backups. @throws ConfigurationError */
export function backupsFrom(read: (name: string) => string | null): Omit<BackupConfiguration, 's3'> {
  const to = place(read('BACKUP_TO'));
  const every = read('BACKUP_EVERY');
  if (every !== null && to === null) {
    throw new ConfigurationError('BACKUP_EVERY needs BACKUP_TO: a folder, or s3://bucket/folder.');
  }
  return {
    to,
    everySeconds: every === null ? null : interval(every),
    keep: atLeastOne('BACKUP_KEEP', read('BACKUP_KEEP') ?? '7'),
    erasedDays: wholeNumber('BACKUP_ERASED_DAYS', read('BACKUP_ERASED_DAYS') ?? '30', 36_500),
    recipient: recipient(read('BACKUP_RECIPIENT')),
    withServerKey:
      oneOf('BACKUP_SERVER_KEY', read('BACKUP_SERVER_KEY') ?? 'false', ['true', 'false']) === 'true',
  };
}

/** A file of variables has comments only on lines of their own: one behind a value would become part of the address. */
function place(value: string | null): string | null {
  if (value === null || !/\s#/.test(value)) return value;
  throw new ConfigurationError(
    `BACKUP_TO must not contain a comment, which needs a line of its own, but is "${value}".`,
  );
}

function interval(value: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(value) ?? [];
  if (count !== undefined) return Number(count) * secondsOfUnit[unit as keyof typeof secondsOfUnit];
  throw new ConfigurationError(`BACKUP_EVERY must be a time such as 30m, 24h or 7d, but is "${value}".`);
}

function recipient(value: string | null): string | null {
  if (value === null || /^age1(?:[\da-z]{58}|pq1[\da-z]+)$/.test(value)) return value;
  throw new ConfigurationError(
    'BACKUP_RECIPIENT must be a public key of age, as age-keygen prints it: age1…; the secret key is never the server’s.',
  );
}

/**
 * Scheduled backups are only made of embedded stores.
 *
 * @throws ConfigurationError
 */
export function refuseScheduledBackups({
  backup,
  eventStoreUrl,
  mongodbUrl,
}: {
  readonly backup: Pick<BackupConfiguration, 'everySeconds'>;
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
}): void {
  if (backup.everySeconds === null || (eventStoreUrl === null && mongodbUrl === null)) return;
  throw new ConfigurationError(
    'BACKUP_EVERY is for embedded stores: EventStoreDB and MongoDB have tools of their own (docs/deploy.md, "Backups").',
  );
}
