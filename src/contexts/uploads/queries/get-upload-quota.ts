import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { UploadQuota } from '../upload-quota.js';

/** How much everybody's uploads may take together: whole mebibytes. */
export class GetUploadQuota extends Query<number> {}

@QueryHandler(GetUploadQuota)
export class GetUploadQuotaHandler implements IQueryHandler<GetUploadQuota> {
  constructor(private readonly quota: UploadQuota) {}

  execute(): Promise<number> {
    return Promise.resolve(this.quota.mebibytes);
  }
}
