import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { budgets } from '../../../kernel/budgets.js';
import { Query, QueryHandler } from '../../../runtime/nest-decorators.js';
import type { UploadDocument } from '../read-model.js';
import { shortName, uploadPathId } from '../upload-path.js';
import { UploadQuota } from '../upload-quota.js';
import { UploadReader } from '../upload-reader.js';
import { UploadReferences } from '../upload-references.js';
import type { AttachmentObject } from '../uploads.replies.js';

/** Formats an upload for the API, with the messages that refer to it. */
export function attachmentObject(
  upload: Pick<UploadDocument, '_id' | 'name' | 'storageName' | 'size' | 'createdAt'>,
  messageIds: readonly number[],
): AttachmentObject {
  const { _id: id, size, createdAt } = upload;
  return {
    id,
    // Uploads before names had a limit may have a longer one.
    name: shortName(upload.name),
    path_id: uploadPathId(upload),
    size,
    create_time: createdAt,
    message_ids: messageIds,
  };
}

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
