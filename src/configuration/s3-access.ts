import type { S3ClientConfig } from '@aws-sdk/client-s3';

/** How a store that speaks S3's protocol is reached. */
export interface S3Access {
  /** `S3_ENDPOINT`; null: Amazon's own address of the region. */
  readonly endpoint: string | null;
  /** `S3_REGION`. */
  readonly region: string;
  /** `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`; null: the client's own search of environment, files and instance. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Stores of other makers are addressed by path, and know no checksums of Amazon's own. */
export function s3ClientConfiguration({ endpoint, region, credentials }: S3Access): S3ClientConfig {
  return {
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}
