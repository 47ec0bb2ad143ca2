import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { exportObject, type ExportConsent, type ExportObject } from '../exports.replies.js';
import { assertAdministrator } from '../../../access/records/roles.js';
import { PublicAddress } from '../../../http/public-address.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { hasConsented, activePeople } from '../consents.js';
import { foldedExports } from '../exports.state.js';

/** Lists the exports, newest last. */
export class GetExports extends Query<readonly ExportObject[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetExports)
export class GetExportsHandler implements IQueryHandler<GetExports> {
  constructor(
    private readonly decisions: Decisions,
    private readonly address: PublicAddress,
  ) {}

  /** @throws ApplicationError `administratorRequired` */
  async execute({ caller }: GetExports): Promise<readonly ExportObject[]> {
    assertAdministrator(this.decisions.actor(caller).user);
    const { known } = await this.decisions.load(foldedExports);
    return known.map((one) => exportObject(one, this.address.url));
  }
}

/** Lists for every active person whether they consent to the export of their private data. */
export class GetExportConsents extends Query<readonly ExportConsent[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetExportConsents)
export class GetExportConsentsHandler implements IQueryHandler<GetExportConsents> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `administratorRequired` */
  execute({ caller }: GetExportConsents): Promise<readonly ExportConsent[]> {
    const { user, snapshot } = this.decisions.actor(caller);
    assertAdministrator(user);
    const { directory } = snapshot;
    return Promise.resolve(
      activePeople(directory).map(({ id }) => ({
        user_id: id,
        consented: hasConsented(directory, id),
        email_address_visibility: directory.settings.value(id, 'email_address_visibility'),
      })),
    );
  }
}
