import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideExportOwnData } from '../../../contexts/users/security/security-records.decide.js';
import { SecurityRecords } from '../../../contexts/users/security/security-records.js';
import type { OwnDataExported } from '../../../events/security.js';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import type { Caller } from '../../../http/caller.js';
import type { EventOf } from '../../../kernel/event.js';

/** Records that the caller requested or downloaded a copy of everything that is stored about them. */
export class RecordOwnDataExport extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly step: EventOf<typeof OwnDataExported>['data']['step'],
  ) {
    super();
  }
}

@CommandHandler(RecordOwnDataExport)
export class RecordOwnDataExportHandler implements ICommandHandler<RecordOwnDataExport> {
  constructor(private readonly records: SecurityRecords) {}

  async execute({ caller, step }: RecordOwnDataExport): Promise<void> {
    const { userId } = caller;
    const data = { userId, step, ...originOfCaller(caller) };
    await this.records.record(decideExportOwnData(data), userId);
  }
}
