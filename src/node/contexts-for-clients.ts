import { AttentionModule } from '../contexts/attention/attention.module.js';
import { ChannelsModule } from '../contexts/channels/channels.module.js';
import { MessagesModule } from '../contexts/messages/messages.module.js';
import { PersonalModule } from '../contexts/personal/personal.module.js';
import { presentStatus } from '../contexts/users/client-events/person-status.js';
import { amongAcquaintances } from '../contexts/users/client-events/acquaintances.js';
import { DescribedContexts } from '../realtime/client-event-schema.js';
import type { InitialState } from '../realtime/initial-state.js';
import type { ContextsForClients } from '../realtime/realtime.module.js';
import type { ReplyFields } from '../http/replies/reply.decorator.js';
import { NO_CLIENT_EVENT, type MapperLines, type MappersByType } from '../realtime/mapper.js';
import { ClientModelSources } from './client-model-sources.js';
import { ClientModels } from './client-models.js';
import { contexts } from './contexts.js';

/** The client events of every event of the log, by event type. */
export const mapperLines: MapperLines<ClientModels> = Object.fromEntries(
  contexts.flatMap(({ clientEvents = [] }) => clientEvents.flatMap((lines) => Object.entries(lines))),
);

const mappers: MappersByType<ClientModels> = amongAcquaintances(
  new Map(
    Object.entries(mapperLines).flatMap(([type, line]) => (line === NO_CLIENT_EVENT ? [] : [[type, line]])),
  ),
  presentStatus,
);

const initialState: InitialState<ClientModels> = Object.fromEntries(
  contexts.flatMap(({ initialState = {} }) => Object.entries(initialState)),
);

const described = new DescribedContexts(
  contexts.flatMap(({ clientEventSchemas = [] }) => clientEventSchemas),
  Object.assign({}, ...contexts.map(({ stateFields = {} }) => stateFields)) as ReplyFields,
);

/** The client events and initial states of all {@link contexts}. */
export const contextsForClients: ContextsForClients<ClientModels> = {
  mappers,
  described,
  initialState,
  laterState: contexts.flatMap(({ laterState = [] }) => laterState),
  models: ClientModels,
  providers: [ClientModelSources],
  appended: (models, events) => models.appended(events),
  imports: [AttentionModule, ChannelsModule, MessagesModule, PersonalModule],
};
