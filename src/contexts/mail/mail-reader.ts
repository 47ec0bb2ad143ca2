import { Injectable } from '@nestjs/common';
import { mailModel, type WaitingLetterDocument } from './read-model.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Opens the model of letters that wait. */
@Injectable()
export class MailReader {
  constructor(private readonly models: ServingModels) {}

  /**
   * The letters whose time has come, those that have waited longest first.
   *
   * @param now milliseconds since the UNIX epoch
   */
  async due(now: number, limit: number): Promise<readonly WaitingLetterDocument[]> {
    const { name, collections } = mailModel;
    const model = await this.models.get(name, collections);
    const letters = model.collection<WaitingLetterDocument>('letters');
    return letters.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit });
  }
}
