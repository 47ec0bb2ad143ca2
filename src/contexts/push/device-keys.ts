import type { CredentialStore } from '../../stores/credential-store/port.js';
import type { Vault } from '../../stores/key-store/vault.js';
import type { Device } from './devices.state.js';
import { createHash } from 'node:crypto';

/** The keys that encrypt devices' notifications: stored outside of the log, and encrypted. */
export class DeviceKeys {
  constructor(
    private readonly store: Pick<CredentialStore, 'deviceKey' | 'setDeviceKey' | 'removeDeviceKey'>,
    private readonly vault: Pick<Vault, 'encryptDeviceKey' | 'decryptDeviceKey'>,
  ) {}

  async put({ id }: Pick<Device, 'id'>, key: Uint8Array): Promise<void> {
    await this.store.setDeviceKey(id, this.vault.encryptDeviceKey(id, key));
  }

  /** Null when there is none. */
  async of({ id }: Pick<Device, 'id'>): Promise<Uint8Array | null> {
    const sealed = await this.store.deviceKey(id);
    return sealed === null ? null : this.vault.decryptDeviceKey(id, sealed);
  }

  async remove({ id }: Pick<Device, 'id'>): Promise<void> {
    await this.store.removeDeviceKey(id);
  }
}

/** The id of a token outside of the credential store. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}
