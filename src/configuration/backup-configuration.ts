import { atLeastOne, ConfigurationError, oneOf, wholeNumber } from './configuration-values.js';
import type { S3Access } from './s3-access.js';

/** Where backups go, and how long they stay. */
export interface BackupConfiguration {
  /** `BACKUP_TO`: a folder, or `s3://bucket/folder`; null: commands must name one. */
  readonly to: string | null;
  /** `BACKUP_EVERY`, in seconds; null: the server makes none by itself. */
  readonly everySeconds: number | null;
  /** `BACKUP_KEEP`: as many of the newest are kept. */
  readonly keep: number;
  /** `BACKUP_ERASED_DAYS`: days after an erasure that a backup older than it goes. */
  readonly erasedDays: number;
  /** `BACKUP_RECIPIENT`: a public key of age; null: backups are not encrypted. */
  readonly recipient: string | null;
  /** `BACKUP_SERVER_KEY`: whether `server.key` goes with them. */
  readonly withServerKey: boolean;
  /** How a bucket is reached: `S3_ENDPOINT`, `S3_REGION` and the access keys. */
  readonly s3: S3Access;
}

const SECONDS = { m: 60, h: 3600, d: 86_400 } as const;

/** Reads what is said of backups. @throws ConfigurationError */
export function backupsFrom(read: (name: string) => string | null): Omit<BackupConfiguration, 's3'> {
  const to = read('BACKUP_TO');
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

function interval(value: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(value) ?? [];
  if (count !== undefined) return Number(count) * SECONDS[unit as keyof typeof SECONDS];
  throw new ConfigurationError(`BACKUP_EVERY must be a time such as 30m, 24h or 7d, but is "${value}".`);
}

function recipient(value: string | null): string | null {
  if (value === null || /^age1(?:[\da-z]{58}|pq1[\da-z]+)$/.test(value)) return value;
  throw new ConfigurationError(
    'BACKUP_RECIPIENT must be a public key of age, as age-keygen prints it: age1…; the secret key is never the server’s.',
  );
}
