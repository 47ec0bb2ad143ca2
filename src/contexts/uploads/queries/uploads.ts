import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { UploadReferences } from '../upload-references.js';
import { attachmentObject } from '../attachment-object.js';
import { UploadReader } from '../upload-reader.js';
import type { AttachmentObject } from '../uploads.replies.js';
import { UploadQuota } from '../upload-quota.js';

/** What the reply to GET /attachments holds. */
export interface Attachments {
  readonly attachments: readonly AttachmentObject[];
  /** Bytes that the uploads of everyone take. */
  readonly upload_space_used: number;
}

/** A person's uploads, with the messages that refer to them (facts, section 5, attachments). */
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
    const references = await this.messages.referencesTo(uploads.map(({ _id }) => _id));
    return {
      attachments: uploads.map((upload) => attachmentObject(upload, references.get(upload._id) ?? [])),
      upload_space_used: spaceUsed,
    };
  }
}

/** How much everybody's uploads may take together: whole mebibytes. */
export class GetUploadQuota extends Query<number> {}

@QueryHandler(GetUploadQuota)
export class GetUploadQuotaHandler implements IQueryHandler<GetUploadQuota> {
  constructor(private readonly quota: UploadQuota) {}

  execute(): Promise<number> {
    return Promise.resolve(this.quota.mebibytes);
  }
}
