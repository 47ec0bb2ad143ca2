import { budgets } from '../../../kernel/budgets.js';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { devicesModel, type DeviceDocument } from '../read-model.js';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { ServingModels } from '../../../stores/read-store/serving-models.js';

/** The caller's devices by their ids, formatted for clients. */
export class GetDevices extends Query<Readonly<Record<string, object>>> {
  constructor(readonly caller: Caller) {
    super();
  }
}

/** The fields of a device about its push notifications. */
export function pushFields({ pushKeyId, push }: Pick<DeviceDocument, 'pushKeyId' | 'push'>): object {
  return {
    push_key_id: pushKeyId,
    push_token_id: push?.tokenId ?? null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: push === null ? null : toSeconds(push.registeredAt),
    push_registration_error_code: null,
  };
}

@QueryHandler(GetDevices)
export class GetDevicesHandler implements IQueryHandler<GetDevices> {
  constructor(private readonly models: ServingModels) {}

  async execute({ caller: { userId } }: GetDevices): Promise<Readonly<Record<string, object>>> {
    const { name, collections } = devicesModel;
    const model = await this.models.get(name, collections);
    const devices = await model
      .collection<DeviceDocument>('devices')
      .find({ userId }, { sort: { _id: 1 }, limit: budgets.devices.max });
    return Object.fromEntries(devices.map((device) => [String(device._id), pushFields(device)]));
  }
}
