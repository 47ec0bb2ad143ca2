import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import { PublicAddress } from '../../http/public-address.js';
import type { UploadDocument } from './read-model.js';
import { placesOf, storageNamesIn } from './upload-path.js';
import { UploadReader } from './upload-reader.js';
import { UploadReferences } from './upload-references.js';

/** Decides who may see a file: its uploader, and everyone who can see a message that refers to it. */
@Injectable()
export class UploadAccess {
  constructor(
    private readonly messages: UploadReferences,
    private readonly uploads: UploadReader,
    private readonly address: PublicAddress,
  ) {}

  /** The upload; null if it does not exist or the caller may not see it. */
  async find(caller: Pick<Caller, 'userId'>, storageName: string): Promise<UploadDocument | null> {
    const upload = await this.uploads.byStorageName(storageName);
    return upload !== null && (await this.maySee(caller, upload)) ? upload : null;
  }

  /** Ids of the uploads that a text may name and that its writer may see, by their path: see `placesOf`. */
  async namedIn(text: string, userId: number): Promise<ReadonlyMap<string, number>> {
    const uploads = await this.uploads.byStorageNames(storageNamesIn(text));
    const seen = await Promise.all(uploads.map((upload) => this.maySee({ userId }, upload)));
    const visible = uploads.filter((_upload, index) => seen[index] === true);
    const { url: site } = this.address;
    return new Map(
      visible.flatMap(({ storageName, _id }) =>
        placesOf(storageName, site).map((place) => [place, _id] as const),
      ),
    );
  }

  /** Those of the uploads that the person uploaded and that no message refers to. */
  async unreferenced(uploadIds: readonly number[], userId: number): Promise<readonly UploadDocument[]> {
    if (uploadIds.length === 0) return [];
    const [uploads, referred] = await Promise.all([
      this.uploads.byIds(uploadIds),
      this.messages.referredTo(uploadIds),
    ]);
    return uploads.filter(({ _id, uploaderId }) => uploaderId === userId && !referred.has(_id));
  }

  private async maySee({ userId }: Pick<Caller, 'userId'>, upload: UploadDocument): Promise<boolean> {
    return upload.uploaderId === userId || this.messages.showUpload(userId, upload._id);
  }
}
