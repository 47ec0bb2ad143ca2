import { Injectable } from '@nestjs/common';
import { mailModel, type WaitingEmailDocument } from './read-model.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Reads the model of waiting e-mails. */
@Injectable()
export class MailReader {
  constructor(private readonly models: ServingModels) {}

  /**
   * The due e-mails, those that have waited longest first.
   *
   * @param now milliseconds since the UNIX epoch
   */
  async due(now: number, limit: number): Promise<readonly WaitingEmailDocument[]> {
    const { name, collections } = mailModel;
    const model = await this.models.get(name, collections);
    const emails = model.collection<WaitingEmailDocument>('letters');
    return emails.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit });
  }
}
