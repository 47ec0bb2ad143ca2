import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Vault } from '../../stores/key-store/vault.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { uploadsPath } from './upload-path.js';

/** Separates these signatures from others under the same key. */
const purpose = 'temporary upload';

/** Lifetime of a link in milliseconds: long enough for a client to pass it to the program that opens it. */
const lifetime = 60_000;

/** Links that open one file for a short time without credentials, which browsers and players do not send. */
@Injectable()
export class TemporaryLinks {
  constructor(
    private readonly vault: Vault,
    private readonly clock: SystemClock,
  ) {}

  /** The path of a link to a file. */
  make(storageName: string, fileName: string): string {
    const terms = `${storageName} ${this.clock.now() + lifetime}`;
    const token = `${Buffer.from(terms).toString('base64url')}.${this.vault.linkDigest(purpose, terms)}`;
    return `${uploadsPath}temporary/${token}/${fileName}`;
  }

  /** The stored file of a token; null when it was not issued by this server, or has expired. */
  open(token: string): string | null {
    const [encoded = '', signature = ''] = token.split('.');
    const terms = Buffer.from(encoded, 'base64url').toString();
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.vault.linkDigest(purpose, terms))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [storageName = '', expiresAt] = terms.split(' ');
    return Number(expiresAt) > this.clock.now() ? storageName : null;
  }
}
