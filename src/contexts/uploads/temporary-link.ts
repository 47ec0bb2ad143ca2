import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { Vault } from '../../stores/key-store/vault.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { uploadsPath } from './upload-path.js';

/** What the digest of such a link is for. */
const purpose = 'temporary upload';

/** How long a link works, in milliseconds: as long as a client takes to hand it to whatever opens it. */
const lifetime = 60_000;

/** Addresses that open one file for a while, for whoever holds them: browsers and players send no credentials. */
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

  /** The stored file that a token opens; null when it is none of ours, or ran out. */
  open(token: string): string | null {
    const [encoded = '', signature = ''] = token.split('.');
    const terms = Buffer.from(encoded, 'base64url').toString();
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.vault.linkDigest(purpose, terms))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [storageName = '', expiresAt] = terms.split(' ');
    return Number(expiresAt) > this.clock.now() ? storageName : null;
  }
}
