import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChannelsModule } from '../../contexts/channels/channels.module.js';
import { MessagesModule } from '../../contexts/messages/messages.module.js';
import { failure } from '../../kernel/errors.js';
import { DeleteExportHandler, DownloadExportHandler, RequestExportHandler } from './commands/exports.js';
import { ExportFiles, ExportsFolder } from './export-files.js';
import { GetExportConsentsHandler, GetExportsHandler } from './queries/exports.js';
import type { RunExport } from './contents/format.js';
import { ExportsController } from './exports.controller.js';
import { ExportMaking, MakeExports } from './jobs.js';
import { RemoveExportFiles, NotifyExportRequester } from './reactors.js';

/** Options of the module. */
interface ExportsModuleOptions {
  readonly configuration: { readonly dataDirectory: string };
  /** Absent: this process shows the past, where no exports are made. */
  readonly threads?: { readonly runExport: RunExport };
}

/** Exports of the organization for its administrators. */
@Module({})
export class ExportsModule {
  static register({ configuration, threads }: ExportsModuleOptions): DynamicModule {
    const run: RunExport = threads?.runExport ?? (() => Promise.reject(failure('taskResultsNotInLog')));
    return {
      module: ExportsModule,
      imports: [CqrsModule, ChannelsModule, MessagesModule],
      controllers: [ExportsController],
      providers: [
        { provide: ExportsFolder, useValue: new ExportsFolder(join(configuration.dataDirectory, 'exports')) },
        { provide: ExportMaking, useValue: new ExportMaking(run) },
        ExportFiles,
        RequestExportHandler,
        DeleteExportHandler,
        DownloadExportHandler,
        GetExportsHandler,
        GetExportConsentsHandler,
        MakeExports,
        NotifyExportRequester,
        RemoveExportFiles,
      ],
    };
  }
}
