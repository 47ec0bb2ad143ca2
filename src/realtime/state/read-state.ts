import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ChannelListing } from '../../channels/channel-listing.js';
import { MessageReader } from '../../messages/message-reader.js';
import { PublicAddress } from '../../organization/public-address.js';
import { JsonText } from '../client-event.js';
import { ClientModels } from '../client-models.js';
import { isFetched, type StateRequest } from './initial-state.js';
import { initialState } from './registry.js';

/** Puts together what a client is told of from the start. */
@Injectable()
export class StateReader {
  constructor(
    private readonly queries: QueryBus,
    private readonly models: ClientModels,
    private readonly messages: MessageReader,
    private readonly listing: ChannelListing,
    private readonly address: PublicAddress,
  ) {}

  /** Members of a JSON object, as text without braces; empty when nothing is asked for. */
  async read(
    asked: Pick<StateRequest, 'caller' | 'user' | 'moment' | 'options' | 'fetched'>,
  ): Promise<string> {
    const { queries, models, messages, listing } = this;
    const { url: site, domain: botDomain } = this.address;
    const request: StateRequest = { ...asked, queries, models, messages, listing, site, botDomain };
    const parts = Object.entries(initialState).filter(([part]) => isFetched(request, part));
    const fields = await Promise.all(parts.map(async ([, read]) => read(request)));
    return fields.flatMap((part) => Object.entries(part).flatMap(member)).join(',');
  }
}

function member([name, value]: [string, unknown]): string[] {
  if (value === undefined) return [];
  return [`${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`];
}
