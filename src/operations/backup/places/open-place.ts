import type { S3Access } from '../../../configuration/s3-access.js';
import { BackupRefusedError } from '../manifest.js';
import { openBucketPlace } from './bucket-place.js';
import { openFolderPlace } from './folder-place.js';
import type { BackupPlace } from './place.js';

/**
 * Opens a place.
 *
 * @param address a folder, which is created if it is missing, or `s3://bucket/folder`
 * @throws BackupRefusedError when the address cannot be used as a place
 */
export async function openPlace(address: string, access: S3Access): Promise<BackupPlace> {
  if (!address.startsWith('s3://')) return openFolderPlace(address);
  const [bucket = '', ...folders] = address.slice('s3://'.length).split('/');
  const prefix = folders.filter((folder) => folder !== '').join('/');
  if (bucket === '') throw new BackupRefusedError(`${address} names no bucket: write s3://bucket/folder.`);
  return openBucketPlace({ address, bucket, prefix, access });
}
