import {
  uploadsModel,
  UPLOAD_SPACE_DOCUMENT_ID,
  type UploadDocument,
  type UploadSpaceDocument,
} from './read-model.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import type { Collection, ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Reads the model of uploads. */
@Injectable()
export class UploadReader {
  constructor(private readonly models: ServingModels) {}

  async byStorageName(storageName: string): Promise<UploadDocument | null> {
    return (await this.byStorageNames([storageName]))[0] ?? null;
  }

  async byStorageNames(storageNames: readonly string[]): Promise<readonly UploadDocument[]> {
    if (storageNames.length === 0) return [];
    return (await this.uploads()).find({ storageName: { $in: [...storageNames] } });
  }

  async byIds(ids: readonly number[]): Promise<readonly UploadDocument[]> {
    if (ids.length === 0) return [];
    return (await this.uploads()).find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } });
  }

  /** The uploads of a person, oldest first. */
  async ofUploader(uploaderId: number): Promise<readonly UploadDocument[]> {
    return (await this.uploads()).find({ uploaderId }, { sort: { _id: 1 } });
  }

  /** The ids and uploaders of images that were not examined yet, after one with an id, oldest first. */
  async unexamined(
    after: number,
    limit: number,
  ): Promise<readonly Pick<UploadDocument, '_id' | 'uploaderId'>[]> {
    const filter = { isExamined: false, _id: { $gt: after } };
    return (await this.uploads()).find(filter, { sort: { _id: 1 }, limit, projection: { uploaderId: 1 } });
  }

  /** Size of all uploads in bytes. */
  async spaceUsed(): Promise<number> {
    const model = await this.model();
    const space = await model
      .collection<UploadSpaceDocument>('upload_space')
      .findOne({ _id: UPLOAD_SPACE_DOCUMENT_ID });
    return space?.bytes ?? 0;
  }

  private async uploads(): Promise<Collection<UploadDocument>> {
    return (await this.model()).collection('uploads');
  }

  private model(): Promise<ModelStore> {
    return this.models.get(uploadsModel.name, uploadsModel.collections);
  }
}
