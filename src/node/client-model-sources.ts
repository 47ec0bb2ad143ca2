import { Inject, Injectable } from '@nestjs/common';
import { AttentionReader } from '../contexts/attention/attention-reader.js';
import { ActivePeople } from '../contexts/channels/active-people.js';
import { ChannelListing } from '../contexts/channels/channel-listing.js';
import { ChannelStatistics } from '../contexts/channels/statistics.js';
import { MessageReader } from '../contexts/messages/message-reader.js';
import { LocalEchoes } from '../contexts/messages/sending/local-echoes.js';
import { PersonalReader } from '../contexts/personal/personal-reader.js';
import { PresenceBoard } from '../contexts/presence/presence-board.js';
import { UploadReader } from '../contexts/uploads/upload-reader.js';
import { Credentials } from '../contexts/users/credentials.js';
import { PublicAddress } from '../http/public-address.js';
import { EventQueues } from '../realtime/queues/event-queues.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';

/** What the models for clients read from. Nest sets the fields. */
@Injectable()
export class ClientModelSources {
  @Inject(MessageReader) readonly reader!: MessageReader;
  @Inject(AttentionReader) readonly attentionReader!: AttentionReader;
  @Inject(PersonalReader) readonly personalReader!: PersonalReader;
  @Inject(ChannelStatistics) readonly statistics!: ChannelStatistics;
  @Inject(LocalEchoes) readonly echoes!: LocalEchoes;
  @Inject(EventQueues) readonly queues!: EventQueues;
  @Inject(UploadReader) readonly uploads!: UploadReader;
  @Inject(PresenceBoard) readonly presences!: PresenceBoard;
  @Inject(Credentials) readonly credentials!: Credentials;
  @Inject(FoldedStreams) readonly streams!: FoldedStreams;
  @Inject(ChannelListing) readonly listing!: ChannelListing;
  @Inject(ActivePeople) readonly activePeople!: ActivePeople;
  @Inject(PublicAddress) readonly address!: PublicAddress;
}
