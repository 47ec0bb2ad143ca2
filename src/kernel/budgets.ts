import type { ErrorName } from './errors.js';

/** A bound on what one person's input may cost the server. */
export interface Budget {
  /** The largest value that is accepted. */
  readonly max: number;
  /** What is counted, such as `bytes` or `words`. */
  readonly unit: string;
  /**
   * What happens above the maximum: a row of the error table; `cut` where the reply is shortened and says so; or `as
   * typed` where that part of a text is shown without its markup, or with less detail.
   */
  readonly over: ErrorName | 'cut' | 'as typed';
}

const MEBIBYTE = 1_048_576;

/**
 * Every bound on the work that one person's input causes. A new row comes with its refusal and with a test that sends
 * one more than `max`.
 */
export const budgets = {
  /** Of JSON in a parameter. No parameter of the API comes near it. */
  jsonDepth: { max: 32, unit: 'arrays and objects inside of each other', over: 'invalidParameter' },
  /** Of JSON in a parameter, names of fields included. It exceeds the longest list of ids that any parameter accepts. */
  jsonValues: { max: 25_000, unit: 'values', over: 'invalidParameter' },
  /** Of parameters without a smaller maximum of their own: as many as the largest user group has direct members. */
  listOfRequest: { max: 20_000, unit: 'ids or names in one list of a request', over: 'invalidParameter' },

  /** Far more than clients send, and few enough to be evaluated together. */
  narrowTerms: { max: 100, unit: 'terms', over: 'narrowTooLong' },
  narrowOperand: { max: 10_000, unit: 'UTF-16 units of one operand', over: 'badNarrow' },
  narrowPeople: { max: 1_000, unit: 'people of all terms', over: 'badNarrow' },
  searchCharacters: { max: 1_000, unit: 'UTF-16 units of all search terms', over: 'badNarrow' },
  /** In scripts without blanks between words, each character counts as one word. */
  searchWords: { max: 30, unit: 'words of all search terms', over: 'badNarrow' },

  /** A text over this bound or one of the next two is refused. If it is in the log already, it is shown as plain text. */
  renderedHtml: { max: 200_000, unit: 'characters of HTML', over: 'unrenderableText' },
  /** Lists contain very many of them. A longer one is shown without its markup. */
  listedHtml: {
    max: 4_000,
    unit: 'characters of HTML of a channel’s description or of a value of a profile',
    over: 'as typed',
  },
  tableCells: { max: 10_000, unit: 'cells of all tables of a text', over: 'unrenderableText' },
  /** A hundred times the length of the longest text. Only texts built to be scanned repeatedly need as many. */
  renderingSteps: { max: 1_000_000, unit: 'characters looked at', over: 'unrenderableText' },
  /** Typesetting formulas takes far longer than rendering anything else. */
  formula: { max: 2_000, unit: 'characters, an array cell or a prime being six', over: 'as typed' },
  /** The newest message of each linked topic is looked up. Links to further topics carry no message id. */
  linkedTopics: { max: 20, unit: 'topics that one text links to', over: 'as typed' },
  linkifying: {
    max: 10_000_000,
    unit: 'characters read for all linkifiers of a text, times the size of their expressions',
    over: 'as typed',
  },
  formulas: { max: 3_000, unit: 'characters of all formulas of a text, counted alike', over: 'as typed' },

  /**
   * One reply with messages. A page ends early, at the side that is farthest from its anchor; messages requested by id
   * are refused.
   */
  pageBytes: { max: 16 * MEBIBYTE, unit: 'bytes', over: 'cut' },
  /** Clients send a few: thousands of them are kept in memory. The same maximum applies to the `queue_id` beside it. */
  localId: { max: 200, unit: 'characters of the id that a client gives a message', over: 'invalidParameter' },
  /** In a direct message, the sender included: the people of a conversation are part of each of its messages. */
  peopleOfConversation: { max: 500, unit: 'people', over: 'tooManyRecipients' },
  /** Messages that one request names by their ids, or requests as a page. */
  messagesOfRequest: { max: 5_000, unit: 'messages', over: 'tooManyMessagesRequested' },
  /** Words and blanks that differ between two versions of a message. With more, the whole text is shown as replaced. */
  comparedWords: { max: 200, unit: 'words and blanks taken out and put in', over: 'as typed' },
  /** Edits of one message: each edit reads all earlier ones. */
  editsOfMessage: { max: 1_000, unit: 'edits', over: 'tooManyEdits' },
  /**
   * Moves of one message, resolving and unresolving its topic included: each is an entry of its document. Of a whole
   * topic, the message that the request names and the oldest one count.
   */
  movesOfMessage: { max: 1_000, unit: 'moves', over: 'tooManyMoves' },
  /** The newest changes of one message. */
  historyEntries: { max: 100, unit: 'edits and moves', over: 'cut' },
  /** Size of the history of one message, where a request asks for that history. */
  historyBytes: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of texts', over: 'cut' },
  /** Size of the history of each message of a page. */
  historyBytesInPage: { max: MEBIBYTE / 4, unit: 'UTF-16 units of texts', over: 'cut' },

  /** Of the organization, deactivated ones included: every node keeps all of them in memory. */
  customEmoji: { max: 5_000, unit: 'emoji', over: 'tooManyCustomEmoji' },
  /** Of one person. */
  alertWords: { max: 1_000, unit: 'words', over: 'tooManyAlertWords' },
  /** Of one bot: a person may have hundreds of bots, and every message is searched for the words of all of them. */
  alertWordsOfBot: { max: 10, unit: 'words', over: 'tooManyAlertWords' },
  /** Of one person. */
  mutedPeople: { max: 5_000, unit: 'people', over: 'tooManyMutedPeople' },
  /** Of one person. Above it, actions that follow a topic by themselves, such as writing in it, no longer do so. */
  topicPolicies: { max: 10_000, unit: 'topics muted, unmuted or followed', over: 'tooManyTopicPolicies' },
  /** Of one profile field. */
  profileFieldChoices: { max: 500, unit: 'choices', over: 'invalidFieldData' },
  profileFieldChoiceText: {
    max: 100,
    unit: 'code points of the key or the text of a choice of a profile field',
    over: 'invalidFieldData',
  },
  profileFieldChoiceOrder: {
    max: 10,
    unit: 'code points of the order of a choice of a profile field',
    over: 'invalidFieldData',
  },
  profileFieldPattern: {
    max: 2_048,
    unit: 'code points of the URL pattern of a profile field',
    over: 'invalidFieldData',
  },
  /** Of one profile field. `POST /register` returns the data of all fields. */
  profileFieldData: { max: 50_000, unit: 'UTF-16 units of its data as JSON', over: 'invalidFieldData' },
  /** Of the organization. */
  profileFields: { max: 200, unit: 'fields', over: 'tooManyProfileFields' },
  /** Of one person. */
  devices: { max: 100, unit: 'devices', over: 'tooManyDevices' },
  /** Of one person's devices, for notifications that are not encrypted. */
  deviceTokens: { max: 20, unit: 'tokens', over: 'tooManyDeviceTokens' },
  deviceTokenLength: { max: 4_096, unit: 'UTF-16 units', over: 'invalidDeviceToken' },
  /** Of one person. */
  navigationViews: { max: 200, unit: 'views', over: 'tooManyNavigationViews' },
  /** Of one person, who gets each of these lists as a whole. */
  listCharacters: {
    max: 1_000_000,
    unit: 'UTF-16 units of all drafts, all snippets, all reminders or all scheduled messages, HTML included',
    over: 'listTooLong',
  },
  /** Of one person. */
  savedSnippets: { max: 500, unit: 'snippets', over: 'tooManySavedSnippets' },
  /** Keys and values of one bot together. */
  botStorage: { max: 1_000_000, unit: 'characters', over: 'botStorageFull' },
  /** Of one bot. */
  botStorageKeys: { max: 1_000, unit: 'keys', over: 'botStorageFull' },
  /** Of one person. */
  drafts: { max: 500, unit: 'drafts', over: 'tooManyDrafts' },
  /** Of one person. */
  reminders: { max: 500, unit: 'reminders', over: 'tooManyReminders' },
  /** Of one person. */
  scheduledMessages: { max: 100, unit: 'messages', over: 'tooManyScheduledMessages' },
  /** Of the organization. */
  linkifiers: { max: 200, unit: 'linkifiers', over: 'tooManyLinkifiers' },
  /** Of the organization. */
  codePlaygrounds: { max: 200, unit: 'playgrounds', over: 'tooManyCodePlaygrounds' },
  /** Valid keys of one account. A new key replaces the least recently used one, preferably one of the same client. */
  apiKeysOfAccount: { max: 100, unit: 'keys', over: 'invalidApiKey' },
  /** Of one person, within an hour of the first failure. Further failures are counted in one event. */
  recordedLogInFailures: { max: 5, unit: 'events about failed log-ins', over: 'cut' },
  /** Of the organization. */
  defaultChannelGroups: { max: 100, unit: 'groups', over: 'tooManyChannelGroups' },
  /** Of one group of default channels. */
  channelsOfGroup: { max: 500, unit: 'channels', over: 'tooManyChannelsInGroup' },
  /** Of the organization, archived ones included. */
  channelFolders: { max: 500, unit: 'folders', over: 'tooManyChannelFolders' },
  /** Of the organization. */
  allowedDomains: { max: 200, unit: 'domains', over: 'tooManyDomains' },
  /** Created by one person, without revoked and expired ones. */
  invitationLinks: { max: 100, unit: 'reusable links', over: 'tooManyInvitationLinks' },
  /** Of one message. */
  submessages: { max: 2_000, unit: 'submessages', over: 'tooManySubmessages' },
  /** Of all submessages of one message together: each new one rewrites its document. */
  submessageLength: { max: 200_000, unit: 'UTF-16 code units', over: 'tooManySubmessages' },
  /** Of one message. */
  reactions: { max: 1_000, unit: 'reactions', over: 'tooManyReactions' },

  /**
   * Log-ins and new passwords of all people that wait to be hashed; those of one requester count as one. Each takes two
   * threads about ten milliseconds.
   */
  waitingPasswords: { max: 100, unit: 'passwords', over: 'unavailable' },
  /** Log-ins from one address, or passwords that one account confirms. */
  waitingPasswordsOfRequester: { max: 20, unit: 'passwords', over: 'unavailable' },
  /**
   * New passwords of one account, or from one address, whose strength waits to be estimated. They count as one among
   * those of all people, of which as many may wait as `waitingPasswords` allows. Each takes a thread milliseconds, or a
   * second if somebody wants it to.
   */
  newPasswordsOfRequester: { max: 100, unit: 'passwords', over: 'unavailable' },
  /**
   * Commits, alerts and the like that a message about one webhook request lists; also event types that a webhook is
   * configured for.
   */
  webhookItems: { max: 20, unit: 'items', over: 'cut' },
  /** A page of the log for auditors ends with the event that reaches this size; the next page continues after it. */
  logPageCharacters: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of events', over: 'cut' },
  /** The whole history of a message, for auditors: later steps are listed without their texts. */
  timelineCharacters: {
    max: 4 * MEBIBYTE,
    unit: 'UTF-16 units of texts, their HTML and comparisons',
    over: 'cut',
  },
  /** Messages of a past conversation in one reply. The reply says where to continue. */
  pastPageCharacters: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of texts and HTML', over: 'cut' },
  /** Messages that may have been in a past conversation and are examined for one reply. The reply says where to continue. */
  pastCandidates: { max: 2_000, unit: 'messages', over: 'cut' },
  /** Each name has at most as many characters as `eventTypeName` allows: the request is recorded with them. */
  auditFilter: {
    max: 300,
    unit: 'types of events, or roles, of one filter of the log',
    over: 'invalidParameter',
  },
  /** A page of the log that is found by its index. The next page continues after the last row. */
  auditRows: { max: 20_000, unit: 'rows of the index of the log', over: 'cut' },
  /** Of what a person could see of a message, in one reply. The command line leaves nothing out. */
  messageViewCharacters: { max: 2 * MEBIBYTE, unit: 'UTF-16 units', over: 'cut' },
  /**
   * Of all people who follow the log. When one is forgotten, that person's next request is recorded as the beginning of
   * a new one.
   */
  followSessions: { max: 1_000, unit: 'sessions of people who follow the log', over: 'cut' },
  /** Of all people together. Verifying the log and making proofs read the whole log, in a thread. */
  proofTasks: { max: 1, unit: 'works at once', over: 'proofRunning' },
  /** Longer work is for the command line. */
  proofSeconds: { max: 3_600, unit: 'seconds', over: 'cut' },
  /** In one proof bundle. Bundles of messages with more events are for the command line. */
  proofEvents: { max: 1_000, unit: 'events', over: 'cut' },
  /** Size of a proof bundle that somebody submits to be checked. */
  proofBundle: { max: 900_000, unit: 'UTF-16 units', over: 'proofBundleTooLong' },
  /** Of the organization, closed cases included: they are listed together. */
  cases: { max: 1_000, unit: 'cases', over: 'tooManyCases' },
  caseName: { max: 100, unit: 'code points', over: 'textTooLong' },
  caseDescription: { max: 5_000, unit: 'code points', over: 'textTooLong' },
  /** Of one case. */
  caseScope: { max: 1_000, unit: 'people and channels', over: 'caseScopeTooWide' },
  /** A search in a case. The reply says where to continue. */
  caseHits: { max: 200, unit: 'messages', over: 'cut' },
  /** The newest versions of one message that a search in a case found. */
  caseHitVersions: { max: 20, unit: 'versions', over: 'cut' },
  /** Searches and bundles of cases, of one person. */
  caseTasksOfAccount: { max: 1, unit: 'tasks at once', over: 'caseTaskRuns' },
  /** Searches and bundles of cases, of all people together. */
  caseTasks: { max: 2, unit: 'tasks at once', over: 'unavailable' },
  caseTaskMinutes: { max: 60, unit: 'minutes', over: 'queryTimeout' },
  /** Of the bundle of one case, temporary files included. */
  caseBundleMebibytes: { max: 10_240, unit: 'mebibytes', over: 'caseBundleTooLarge' },
  /** How long a finished bundle is kept: it holds unencrypted what is encrypted elsewhere. */
  caseBundleHours: { max: 24, unit: 'hours', over: 'noSuchCaseTask' },
  /** Results of the case tasks of one person. The oldest is removed. */
  caseTasksKept: { max: 20, unit: 'tasks', over: 'cut' },
  /** Copies of their own data that one person is waiting for. */
  ownDataOfAccount: { max: 1, unit: 'copies at once', over: 'ownDataRuns' },
  /** Copies of own data of all people together: each reads the whole log. */
  ownDataAtOnce: { max: 2, unit: 'copies at once', over: 'unavailable' },
  /** Of one person. */
  ownDataOfDay: { max: 10, unit: 'copies begun in 24 hours', over: 'rateLimitHit' },
  ownDataMinutes: { max: 60, unit: 'minutes', over: 'queryTimeout' },
  /** Of one copy, temporary files included. */
  ownDataMebibytes: { max: 10_240, unit: 'mebibytes', over: 'ownDataTooLarge' },
  /** How long a finished copy is kept: it holds unencrypted what is encrypted elsewhere. */
  ownDataHours: { max: 24, unit: 'hours', over: 'noOwnData' },
  /** Of the organization. */
  exportsOfWeek: { max: 5, unit: 'exports asked for in seven days', over: 'tooManyExports' },
  /** Messages of the organization. Longer exports are for the command line. */
  exportMessages: { max: 1_000_000, unit: 'messages', over: 'exportTooLarge' },
  /** Of one export, temporary files included. */
  exportMebibytes: { max: 10_240, unit: 'mebibytes', over: 'exportTooLarge' },
  exportMinutes: { max: 60, unit: 'minutes that making one export takes', over: 'exportFailed' },
  /** An export is started again after a crash, or after a store was unreachable. */
  exportAttempts: { max: 3, unit: 'attempts at one export', over: 'exportFailed' },
  /** How long the file is kept: it holds unencrypted what is encrypted elsewhere. */
  exportDays: { max: 7, unit: 'days', over: 'exportDeleted' },
  /** The newest exports. */
  exportsListed: { max: 100, unit: 'exports', over: 'cut' },
  /** The address that a bot sends its requests to. */
  serviceUrl: { max: 2_000, unit: 'UTF-16 units of where requests of a bot go', over: 'invalidServiceUrl' },
  /** Requests of one bot without a response. Above it, no further requests are sent. */
  outgoingWebhookCalls: { max: 100, unit: 'requests of one bot', over: 'cut' },
  /** Requests of all bots of one owner without a response. Above it, no further requests are sent. */
  outgoingWebhookCallsOfOwner: { max: 500, unit: 'requests of all bots of one owner', over: 'cut' },
  /** A longer response is ignored. */
  outgoingWebhookAnswer: { max: 65_536, unit: 'bytes', over: 'cut' },
  /** The comment that a deactivated person is sent by e-mail. */
  deactivationComment: { max: 2_000, unit: 'code points', over: 'deactivationCommentTooLong' },
  reportExplanation: { max: 1_000, unit: 'code points', over: 'explanationTooLong' },

  /** Names of event types in `event_types` and `fetch_event_types`: a few times as many as exist. */
  eventTypes: { max: 200, unit: 'names', over: 'invalidParameter' },
  eventTypeName: { max: 100, unit: 'characters', over: 'invalidParameter' },
  /** One operand of an event queue's narrow: names of channels and topics, and addresses. */
  registeredOperand: { max: 320, unit: 'characters', over: 'invalidParameter' },
  /** Of one person: `GET /attachments` lists all of them. */
  uploadsOfPerson: { max: 10_000, unit: 'files', over: 'tooManyUploads' },
  /** Unless `UPLOAD_QUOTA_PER_PERSON_MIB` says otherwise. */
  uploadMebibytesOfPerson: { max: 10_240, unit: 'mebibytes', over: 'personUploadQuota' },
  /** Of the organization, unless `UPLOAD_QUOTA_MIB` says otherwise. */
  uploadMebibytes: { max: 102_400, unit: 'mebibytes', over: 'uploadQuota' },
  /** A longer name of an uploaded file is cut in front of its extension. The reply contains the name that was kept. */
  uploadName: { max: 255, unit: 'code points', over: 'cut' },
  /** The newest messages that an `attachment` event names, of all uploads that one message refers to. */
  referencesOfEvent: { max: 1_000, unit: 'messages that refer to the uploads of one message', over: 'cut' },
  /** The newest messages that are examined for whether somebody else may see an upload. */
  referencesExamined: { max: 10_000, unit: 'messages that refer to one upload', over: 'cut' },
  /** The newest messages that `GET /attachments` names, of all uploads together. */
  referencesListed: { max: 10_000, unit: 'messages that refer to the uploads of one person', over: 'cut' },
  /** Of one person: files that are uploaded, and parts of files. */
  filesReceivedAtOnce: { max: 20, unit: 'files being received', over: 'rateLimitHit' },
  /** Unfinished uploads of one person. */
  resumableUploads: { max: 20, unit: 'uploads in parts', over: 'resumableRefused' },
  /** Of one file: each part is stored separately until the upload is complete. */
  resumableUploadParts: { max: 1_000, unit: 'parts', over: 'resumableRefused' },
  /** How long an upload without new parts is kept. */
  resumableUploadHours: { max: 24, unit: 'hours', over: 'noSuchResumable' },
  /** Created by one person, archived ones included: every node keeps all of them in memory. */
  channelsOfPerson: { max: 5_000, unit: 'channels', over: 'tooManyChannels' },
  /** Every list of channels contains them, and every node keeps them in memory. */
  namedInChannelsOfPerson: {
    max: 100_000,
    unit: 'people and groups that permissions of the channels of one creator name',
    over: 'channelsNameTooMany',
  },
  /** Present and former ones: every node keeps them in memory. People may always subscribe themselves. */
  subscriptionsToChannelsOfPerson: {
    max: 500_000,
    unit: 'subscriptions to the channels of one creator',
    over: 'tooManySubscriptions',
  },
  /** Created by one person or transferred to them, deactivated ones included. */
  botsOfPerson: { max: 500, unit: 'bots', over: 'tooManyBots' },
  /** Of the organization, deactivated ones included. */
  userGroups: { max: 5_000, unit: 'groups', over: 'tooManyUserGroups' },
  /** Direct members of one group. */
  membersOfGroup: { max: 20_000, unit: 'people', over: 'tooManyGroupMembers' },
  /** Of all groups together: every node keeps them in memory, and `POST /register` returns all of them. */
  groupMembers: {
    max: 500_000,
    unit: 'direct members of all groups, and people and groups that their permissions name',
    over: 'tooManyGroupMembers',
  },
  /** In one value of a permission; a group that is named counts once. */
  namedInPermission: { max: 500, unit: 'people and groups', over: 'permissionTooLong' },
  /** Direct subgroups of one group. */
  subgroupsOfGroup: { max: 500, unit: 'groups', over: 'tooManySubgroups' },
  /**
   * Direct subgroups of all groups together. Whether somebody is in a group may depend on all of them, so that following
   * them takes less than a millisecond, however deep they are nested.
   */
  subgroups: { max: 10_000, unit: 'subgroups of all groups', over: 'tooManySubgroups' },
  /** An image for an emoji, an account or the organization. */
  imageMebibytes: { max: 5, unit: 'mebibytes', over: 'fileTooLarge' },
  /** Decoding a larger image takes so much memory that it attacks the viewer. */
  imagePixels: { max: 90_000_000, unit: 'pixels', over: 'imageTooLarge' },
  /** A larger uploaded image stays a link to its file. */
  examinedMebibytes: { max: 40, unit: 'mebibytes', over: 'as typed' },
  /** All frames of an uploaded image together. An image with more stays a link to its file. */
  examinedPixels: { max: 90_000_000, unit: 'pixels', over: 'as typed' },
  /** Decoding an image. A small file can be made to take minutes, or gigabytes, although it declares few pixels. */
  examinedSeconds: { max: 10, unit: 'seconds of processor time for one image', over: 'as typed' },
  examinedMemory: {
    max: 640 * MEBIBYTE,
    unit: 'bytes of memory of the process that decodes an image',
    over: 'as typed',
  },
  /** Thumbnails that requests of all people are waiting for; those of one person count as one. */
  thumbnailsWaiting: { max: 50, unit: 'thumbnails', over: 'unavailable' },
  /** Thumbnails that requests of one person are waiting for. */
  thumbnailsWaitingOfPerson: { max: 100, unit: 'thumbnails', over: 'unavailable' },
  /** The newest messages that show an uploaded image. Clients are sent their new content once the image is examined. */
  messagesRenderedAgain: { max: 100, unit: 'messages that refer to one upload', over: 'cut' },
  /**
   * Segments of a JPEG before the one with its dimensions: descriptions, colour profiles, previews. A segment has at
   * most 64 KiB.
   */
  jpegSegments: { max: 1_000, unit: 'segments', over: 'badImage' },

  /** In one request to invite people, separated by line breaks or commas. */
  addressesOfRequest: { max: 1_000, unit: 'addresses', over: 'tooManyAddressesAtOnce' },
  /** In one request to subscribe or unsubscribe people. */
  channelsOfRequest: { max: 500, unit: 'channels', over: 'tooManyChannelsAtOnce' },
  /** In one such request: channels times people. */
  subscriptionsOfRequest: { max: 20_000, unit: 'subscriptions', over: 'tooManySubscriptionsAtOnce' },
  /** Events of one queue that its client has not acknowledged. Above it, the queue ends. */
  eventQueueEvents: { max: 20_000, unit: 'events', over: 'badEventQueueId' },
  /** Size of the events of one queue that its client has not acknowledged. */
  eventQueueBytes: { max: 16 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** Events of the log that are mapped again for a client whose queue is restored after a restart. */
  eventsMappedAgain: { max: 20_000, unit: 'events of the log', over: 'badEventQueueId' },
  /** Events of accounts, groups, channels and subscriptions that are folded to find out who could see what at that time. */
  directoryEventsFolded: { max: 200_000, unit: 'events of the log', over: 'badEventQueueId' },
  /** A new queue replaces the least recently polled one. */
  eventQueuesOfAccount: { max: 1_000, unit: 'queues', over: 'badEventQueueId' },
  /** Of a person and all their bots. A new queue replaces the least recently polled one of them. */
  eventQueuesOfOwner: { max: 2_000, unit: 'queues', over: 'badEventQueueId' },
  /** In a process. A new queue replaces the least recently polled one of the person who has most, bots included. */
  eventQueuesOfProcess: { max: 50_000, unit: 'queues', over: 'badEventQueueId' },
  /** Unacknowledged events in all queues of one account, each queue counted in full. The least recently polled queue ends. */
  eventBytesOfAccount: { max: 32 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** The same in all queues of a person and all their bots. */
  eventBytesOfOwner: { max: 128 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /**
   * Unacknowledged events in all queues of a process, shared events counted once. The person with the most, bots
   * included, loses a queue.
   */
  eventBytesOfProcess: { max: 256 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** One reply to `GET /events`; the rest comes with the next one. A single event may be longer. */
  eventReplyBytes: { max: 2 * MEBIBYTE, unit: 'bytes', over: 'cut' },

  /** Queries of a person and all their bots that wait for their turn on a reader thread. Equal ones of one account count once. */
  waitingQueriesOfOwner: { max: 200, unit: 'queries', over: 'unavailable' },
  /** Requests in 60 seconds; those for events count apart from the others. */
  requestsOfOwner: {
    max: 5,
    unit: 'times `RATE_LIMIT_PER_MINUTE`, for a person and all their bots together',
    over: 'rateLimitHit',
  },
  /**
   * Requests that are not received completely, of everybody together: headers and bodies, and files that are kept in
   * memory. The address with the most bytes loses its oldest request.
   */
  unfinishedRequestBytes: { max: 64 * MEBIBYTE, unit: 'bytes', over: 'unavailable' },
  /** Requests that a connection sends without waiting for their replies. Above it, the connection ends. */
  pipelinedRequests: { max: 32, unit: 'requests', over: 'unavailable' },
  /** Replies that the clients of one account, or of one address without login, have not read. */
  unreadReplyBytesOfAccount: { max: 48 * MEBIBYTE, unit: 'bytes', over: 'rateLimitHit' },
  /** Files that are being sent to the clients of one account. Each keeps a file open, or a connection to the bucket. */
  openFilesOfAccount: { max: 48, unit: 'files being sent', over: 'rateLimitHit' },
  /** Files that are being sent to one address without login, such as pictures of accounts. */
  openFilesOfNetwork: { max: 100, unit: 'files being sent', over: 'rateLimitHit' },
  /** Replies that nobody has read yet. The connection with the oldest reply of the account with the most bytes ends. */
  unreadReplyBytes: { max: 128 * MEBIBYTE, unit: 'bytes', over: 'cut' },

  /** Of one request or reaction. The root span, which counts the omitted ones, is always kept. */
  spansOfTrace: { max: 200, unit: 'spans', over: 'cut' },
  /** Spans of one thread that wait for the collector. Further spans are dropped, and the loss is logged. */
  spansWaiting: { max: 4_096, unit: 'spans', over: 'cut' },
} as const satisfies Record<string, Budget>;
