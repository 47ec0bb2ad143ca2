import { type AttachmentObject, attachmentObject } from '../uploads.replies.js';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import { UploadQuota } from '../upload-quota.js';
import { UploadReader } from '../upload-reader.js';
import { UploadReferences } from '../upload-references.js';

/** The reply to `GET /attachments`. */
interface Attachments {
  readonly attachments: readonly AttachmentObject[];
  /** Size of all uploads in bytes. */
  readonly upload_space_used: number;
}

/** A person's uploads, with the messages that refer to them (`GET /attachments`). */
export class GetAttachments extends Query<Attachments> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetAttachments)
export class GetAttachmentsHandler implements IQueryHandler<GetAttachments> {
  constructor(
    private readonly uploads: UploadReader,
    private readonly messages: UploadReferences,
  ) {}

  async execute({ caller: { userId } }: GetAttachments): Promise<Attachments> {
    const [uploads, spaceUsed] = await Promise.all([
      this.uploads.ofUploader(userId),
      this.uploads.spaceUsed(),
    ]);
    const references = await this.messages.referencesTo(
      uploads.map(({ _id }) => _id),
      budgets.referencesListed.max,
    );
    return {
      attachments: uploads.map((upload) => attachmentObject(upload, references.get(upload._id) ?? [])),
      upload_space_used: spaceUsed,
    };
  }
}

/** The limit for all uploads together, in whole mebibytes. */
export class GetUploadQuota extends Query<number> {}

@QueryHandler(GetUploadQuota)
export class GetUploadQuotaHandler implements IQueryHandler<GetUploadQuota> {
  constructor(private readonly quota: UploadQuota) {}

  execute(): Promise<number> {
    return Promise.resolve(this.quota.mebibytes);
  }
}
