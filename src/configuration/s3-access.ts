import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { ConfigurationError, webAddress, type ReadVariable } from './configuration-values.js';

/** Access to a store with the S3 protocol. */
export interface S3Access {
  /** `S3_ENDPOINT`; null: Amazon's endpoint of the region. */
  readonly endpoint: string | null;
  /** `S3_REGION`. */
  readonly region: string;
  /**
   * `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`; null: the client looks in the environment, in files and at the
   * instance.
   */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Milliseconds. */
const CONNECTION_TIMEOUT = 10_000;

/** Connections to the store, one for each file that is being sent or stored. More requests than that wait. */
const MAX_SOCKETS = 200;

/** Failures are reported by those who use the client; without a logger the client writes to the console itself. */
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

/** Stores other than Amazon's need path-style addresses, and do not support Amazon's additional checksums. */
export function s3ClientConfiguration({ endpoint, region, credentials }: S3Access): S3ClientConfig {
  return {
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    logger,
  };
}

/** A bucket in a store with the S3 protocol. */
export interface S3Configuration extends S3Access {
  /** `S3_BUCKET`; the bucket must exist. */
  readonly bucket: string;
}

export function s3From(read: ReadVariable): S3Configuration | null {
  const bucket = read('S3_BUCKET');
  return bucket === null ? null : { bucket, ...s3AccessFrom(read) };
}

export function s3AccessFrom(read: ReadVariable): S3Access {
  const endpoint = webAddress('S3_ENDPOINT', read('S3_ENDPOINT'));
  const region = read('S3_REGION') ?? 'us-east-1';
  const [accessKeyId, secretAccessKey] = [read('S3_ACCESS_KEY_ID'), read('S3_SECRET_ACCESS_KEY')];
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new ConfigurationError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.');
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;
  return { endpoint, region, credentials };
}
