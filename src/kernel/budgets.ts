import type { ErrorName } from './errors.js';

/** A bound on what one person's input may cost the server. */
export interface Budget {
  /** The largest value that is accepted. */
  readonly max: number;
  /** What is counted, such as `bytes` or `words`. */
  readonly unit: string;
  /**
   * What happens to more: a row of the error table, `cut` where the reply is shortened and says so, or `as typed` where that part of
   * a text is shown without its markup, or with less detail.
   */
  readonly over: ErrorName | 'cut' | 'as typed';
}

const MEBIBYTE = 1_048_576;

/**
 * Every bound on work that follows from what somebody sent. A new row comes with its refusal and with a test that sends one more
 * than `max`.
 */
export const budgets = {
  /** Of JSON in a parameter: far beyond what any has. */
  jsonDepth: { max: 32, unit: 'arrays and objects inside of each other', over: 'invalidParameter' },
  /** Of JSON in a parameter, names of fields included: more than the most ids that any takes. */
  jsonValues: { max: 25_000, unit: 'values', over: 'invalidParameter' },

  /** Far beyond what anyone asks of messages, and few enough for one look at them. */
  narrowTerms: { max: 100, unit: 'terms', over: 'narrowTooLong' },
  narrowOperand: { max: 10_000, unit: 'UTF-16 units of one operand', over: 'badNarrow' },
  narrowPeople: { max: 1_000, unit: 'people of all terms', over: 'badNarrow' },
  searchCharacters: { max: 1_000, unit: 'UTF-16 units of all search terms', over: 'badNarrow' },
  /** In scripts without blanks between words each character is one. */
  searchWords: { max: 30, unit: 'words of all search terms', over: 'badNarrow' },

  /** A text that is over one of these three is refused; one that the log holds already is shown as plain text. */
  renderedHtml: { max: 200_000, unit: 'characters of HTML', over: 'unrenderableText' },
  tableCells: { max: 10_000, unit: 'cells of all tables of a text', over: 'unrenderableText' },
  /** A hundred times the longest text: only texts made to be looked at again and again need as many. */
  renderingSteps: { max: 1_000_000, unit: 'characters looked at', over: 'unrenderableText' },
  /** Setting formulas takes far longer than anything else in a text. */
  formula: { max: 2_000, unit: 'characters, an array cell or a prime being six', over: 'as typed' },
  /** Their newest messages are looked up; links to more topics name none. */
  linkedTopics: { max: 20, unit: 'topics that one text links to', over: 'as typed' },
  linkifying: {
    max: 10_000_000,
    unit: 'characters read for all linkifiers of a text, times the size of their expressions',
    over: 'as typed',
  },
  formulas: { max: 3_000, unit: 'characters of all formulas of a text, counted alike', over: 'as typed' },

  /** One reply of messages: a page ends earlier, farthest from its anchor; messages that were named one by one are refused. */
  pageBytes: { max: 16 * MEBIBYTE, unit: 'bytes', over: 'cut' },
  /** Messages that one request names by their ids, or asks for. */
  messagesOfRequest: { max: 5_000, unit: 'messages', over: 'tooManyMessagesRequested' },
  /** Words and blanks by which two texts of a message differ; others are shown as wholly replaced. */
  comparedWords: { max: 200, unit: 'words and blanks taken out and put in', over: 'as typed' },
  /** Edits of one message: each reads it whole. */
  editsOfMessage: { max: 1_000, unit: 'edits', over: 'tooManyEdits' },
  /** Changes of one message that are listed: the newest. */
  historyEntries: { max: 100, unit: 'edits and moves', over: 'cut' },
  /** The same in bytes, where somebody asks for the history of one message. */
  historyBytes: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of texts', over: 'cut' },
  /** The same for each message of a page. */
  historyBytesInPage: { max: MEBIBYTE / 4, unit: 'UTF-16 units of texts', over: 'cut' },

  /** Of the organization, deactivated ones included: each node knows all of them. */
  customEmoji: { max: 5_000, unit: 'emoji', over: 'tooManyCustomEmoji' },
  /** Of a person. */
  alertWords: { max: 1_000, unit: 'words', over: 'tooManyAlertWords' },
  /** Of a person. */
  mutedPeople: { max: 5_000, unit: 'people', over: 'tooManyMutedPeople' },
  /** Of a person. What follows from something else that they do, such as following topics in which they write, then does not follow any more. */
  topicPolicies: { max: 10_000, unit: 'topics muted, unmuted or followed', over: 'tooManyTopicPolicies' },
  /** Of one field of the profiles. */
  profileFieldChoices: { max: 500, unit: 'choices', over: 'invalidFieldData' },
  /** Of the organization. */
  profileFields: { max: 200, unit: 'fields', over: 'tooManyProfileFields' },
  /** Of a person. */
  devices: { max: 100, unit: 'devices', over: 'tooManyDevices' },
  /** Of one person's devices, for notifications that are not encrypted. */
  deviceTokens: { max: 20, unit: 'tokens', over: 'tooManyDeviceTokens' },
  deviceTokenLength: { max: 4_096, unit: 'UTF-16 units', over: 'invalidDeviceToken' },
  /** Of a person. */
  navigationViews: { max: 200, unit: 'views', over: 'tooManyNavigationViews' },
  /** Of a person. */
  savedSnippets: { max: 500, unit: 'snippets', over: 'tooManySavedSnippets' },
  /** Keys and values of one bot. */
  botStorage: { max: 1_000_000, unit: 'characters', over: 'botStorageFull' },
  /** Of one bot. */
  botStorageKeys: { max: 1_000, unit: 'keys', over: 'botStorageFull' },
  /** Of a person. */
  drafts: { max: 500, unit: 'drafts', over: 'tooManyDrafts' },
  /** Of a person. */
  reminders: { max: 500, unit: 'reminders', over: 'tooManyReminders' },
  /** Of a person. */
  scheduledMessages: { max: 100, unit: 'messages', over: 'tooManyScheduledMessages' },
  /** Of the organization. */
  linkifiers: { max: 200, unit: 'linkifiers', over: 'tooManyLinkifiers' },
  /** Of the organization. */
  codePlaygrounds: { max: 200, unit: 'playgrounds', over: 'tooManyCodePlaygrounds' },
  /** Of an account that are good at once: the least recently used gives way to a new one, of the same client first. */
  apiKeysOfAccount: { max: 100, unit: 'keys', over: 'invalidApiKey' },
  /** Of a person, within an hour from the first: further ones are counted in one event. */
  recordedLogInFailures: { max: 5, unit: 'events about failed log-ins', over: 'cut' },
  /** Of the organization. */
  defaultChannelGroups: { max: 100, unit: 'groups', over: 'tooManyChannelGroups' },
  /** Of a message. */
  submessages: { max: 2_000, unit: 'submessages', over: 'tooManySubmessages' },
  /** Of a message. */
  reactions: { max: 1_000, unit: 'reactions', over: 'tooManyReactions' },

  /** Log-ins and new passwords that wait to be hashed, of everybody: each takes some ten milliseconds of two threads. */
  waitingPasswords: { max: 100, unit: 'passwords', over: 'unavailable' },
  /** Commits, alerts and the like that one webhook tells of one by one; and events that it chooses. */
  webhookItems: { max: 20, unit: 'items', over: 'cut' },
  /** A page of the log for auditors ends with the event that reaches this; the next page goes on after it. */
  logPageCharacters: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of events', over: 'cut' },
  /** A message's whole life for auditors: later steps are told without their texts. */
  lifeCharacters: {
    max: 4 * MEBIBYTE,
    unit: 'UTF-16 units of texts, their HTML and comparisons',
    over: 'cut',
  },
  /** Messages of a conversation's past in one reply; the reply says where it goes on. */
  pastPageCharacters: { max: 4 * MEBIBYTE, unit: 'UTF-16 units of texts and HTML', over: 'cut' },
  /** Messages that may have been in a conversation, and are looked at for one reply, which says where it goes on. */
  pastCandidates: { max: 2_000, unit: 'messages', over: 'cut' },
  /** A page of the log that is found by its index; the next page goes on behind the last row. */
  auditRows: { max: 20_000, unit: 'rows of the index of the log', over: 'cut' },
  /** What somebody could see in the past is built from the log, in a thread and with read models of its own. Of a person. */
  pastLooksOfAccount: { max: 1, unit: 'looks at once', over: 'alreadyLooking' },
  /** The same, of everybody. */
  pastLooks: { max: 2, unit: 'looks at once', over: 'unavailable' },
  /** What takes longer is for the command line. */
  pastLookSeconds: { max: 60, unit: 'seconds', over: 'queryTimeout' },
  /** Of everybody who follows the log: of one that is forgotten the next look is recorded as the beginning of another. */
  followings: { max: 1_000, unit: 'followings of the log', over: 'cut' },
  /** Verifying the log and making proofs read all of it, in a thread. Of everybody. */
  proofWorks: { max: 1, unit: 'works at once', over: 'proofRunning' },
  /** What takes longer is for the command line. */
  proofSeconds: { max: 3_600, unit: 'seconds', over: 'cut' },
  /** In one proof bundle: a message to which more happened is for the command line. */
  proofEvents: { max: 1_000, unit: 'events', over: 'cut' },
  /** Of a proof bundle that somebody kept. */
  proofBundle: { max: 900_000, unit: 'UTF-16 units', over: 'proofBundleTooLong' },
  /** Of the organization, closed ones included: all of them are listed together. */
  cases: { max: 1_000, unit: 'cases', over: 'tooManyCases' },
  caseName: { max: 100, unit: 'code points', over: 'textTooLong' },
  caseDescription: { max: 5_000, unit: 'code points', over: 'textTooLong' },
  /** Of one case. */
  caseScope: { max: 1_000, unit: 'people and channels', over: 'caseScopeTooWide' },
  /** A search in a case; the reply says where it goes on. */
  caseHits: { max: 200, unit: 'messages', over: 'cut' },
  /** Of one message that such a search found: the newest. */
  caseHitVersions: { max: 20, unit: 'versions', over: 'cut' },
  /** Looking through a case, of a person. */
  caseTasksOfAccount: { max: 1, unit: 'tasks at once', over: 'caseTaskRuns' },
  /** The same, of everybody. */
  caseTasks: { max: 2, unit: 'tasks at once', over: 'unavailable' },
  caseTaskMinutes: { max: 60, unit: 'minutes', over: 'queryTimeout' },
  /** Of one case, and of what is written for it meanwhile. */
  caseBundleMebibytes: { max: 10_240, unit: 'mebibytes', over: 'caseBundleTooLarge' },
  /** Until a bundle that was made is removed: it holds in the clear what is encrypted elsewhere. */
  caseBundleHours: { max: 24, unit: 'hours', over: 'noSuchCaseTask' },
  /** What came of those of a person: the oldest is forgotten. */
  caseTasksKept: { max: 20, unit: 'tasks', over: 'cut' },
  /** Copies of one's own data that are being made, of a person. */
  ownDataOfAccount: { max: 1, unit: 'copies at once', over: 'ownDataRuns' },
  /** The same, of everybody: each looks through the whole log. */
  ownDataAtOnce: { max: 2, unit: 'copies at once', over: 'unavailable' },
  /** Of a person. */
  ownDataOfDay: { max: 10, unit: 'copies begun in 24 hours', over: 'rateLimitHit' },
  ownDataMinutes: { max: 60, unit: 'minutes', over: 'queryTimeout' },
  /** Of one copy, and of what is written for it meanwhile. */
  ownDataMebibytes: { max: 10_240, unit: 'mebibytes', over: 'ownDataTooLarge' },
  /** Until a copy is removed: it holds in the clear what is encrypted elsewhere. */
  ownDataHours: { max: 24, unit: 'hours', over: 'noOwnData' },
  /** Of the organization. */
  exportsOfWeek: { max: 5, unit: 'exports asked for in seven days', over: 'tooManyExports' },
  /** In the organization: what takes longer to export is for the command line. */
  exportMessages: { max: 1_000_000, unit: 'messages', over: 'exportTooLarge' },
  /** Of one export, and of what is written for it meanwhile. */
  exportMebibytes: { max: 10_240, unit: 'mebibytes', over: 'exportTooLarge' },
  exportMinutes: { max: 60, unit: 'minutes that making one export takes', over: 'exportFailed' },
  /** It is begun again after a crash, or where a store was gone. */
  exportAttempts: { max: 3, unit: 'attempts at one export', over: 'exportFailed' },
  /** Until the file is removed: it holds in the clear what is encrypted elsewhere. */
  exportDays: { max: 7, unit: 'days', over: 'exportDeleted' },
  /** The newest. */
  exportsListed: { max: 100, unit: 'exports', over: 'cut' },
  /** What somebody says of a message that they report. */
  serviceUrl: { max: 2_000, unit: 'UTF-16 units of where requests of a bot go', over: 'invalidServiceUrl' },
  /** What is not yet answered; of more, nothing is sent. */
  outgoingWebhookCalls: { max: 100, unit: 'requests of one bot', over: 'cut' },
  /** More is no answer. */
  outgoingWebhookAnswer: { max: 65_536, unit: 'bytes', over: 'cut' },
  /** What somebody is told by e-mail who is deactivated. */
  deactivationComment: { max: 2_000, unit: 'code points', over: 'deactivationCommentTooLong' },
  reportExplanation: { max: 1_000, unit: 'code points', over: 'explanationTooLong' },

  /** Names of types of events in `event_types` and `fetch_event_types`: a few times as many as there are. */
  eventTypes: { max: 200, unit: 'names', over: 'invalidParameter' },
  eventTypeName: { max: 100, unit: 'characters', over: 'invalidParameter' },
  /** An operand of the narrow of a queue: names of channels and topics, and addresses. */
  registeredOperand: { max: 320, unit: 'characters', over: 'invalidParameter' },
  /** Of a person: `GET /attachments` lists all. */
  uploadsOfPerson: { max: 10_000, unit: 'files', over: 'tooManyUploads' },
  /** Unless `UPLOAD_QUOTA_PER_PERSON_MIB` says otherwise. */
  uploadMebibytesOfPerson: { max: 10_240, unit: 'mebibytes', over: 'personUploadQuota' },
  /** Of the organization, unless `UPLOAD_QUOTA_MIB` says otherwise. */
  uploadMebibytes: { max: 102_400, unit: 'mebibytes', over: 'uploadQuota' },
  /** Of a person, which have begun and are not finished. */
  resumableUploads: { max: 20, unit: 'uploads in parts', over: 'resumableRefused' },
  /** Of one file: each is kept by itself until all have come. */
  resumableUploadParts: { max: 1_000, unit: 'parts', over: 'resumableRefused' },
  /** Until an upload of which nothing comes is given up. */
  resumableUploadHours: { max: 24, unit: 'hours', over: 'noSuchResumable' },
  /** Created by one person, archived ones included: each node knows all of them. */
  channelsOfPerson: { max: 5_000, unit: 'channels', over: 'tooManyChannels' },
  /** Created by one person or handed to them, deactivated ones included. */
  botsOfPerson: { max: 500, unit: 'bots', over: 'tooManyBots' },
  /** Of the organization, deactivated ones included. */
  userGroups: { max: 5_000, unit: 'groups', over: 'tooManyUserGroups' },
  /** An image for an emoji, an account or the organization. */
  imageMebibytes: { max: 5, unit: 'mebibytes', over: 'fileTooLarge' },
  /** An image that takes more memory than this to show is an attack on whoever looks at it. */
  imagePixels: { max: 90_000_000, unit: 'pixels', over: 'imageTooLarge' },
  /** An uploaded image that is larger stays a link to its file. */
  examinedMebibytes: { max: 40, unit: 'mebibytes', over: 'as typed' },
  /** All frames of an uploaded image together; one with more stays a link to its file. */
  examinedPixels: { max: 90_000_000, unit: 'pixels', over: 'as typed' },
  /** Thumbnails that requests wait for together. */
  thumbnailsWaiting: { max: 50, unit: 'thumbnails', over: 'unavailable' },
  /** The newest messages that show an image are told of as soon as it is known what it is. */
  messagesRenderedAgain: { max: 100, unit: 'messages that refer to one upload', over: 'cut' },
  /** Of a JPEG before it says how large it is: descriptions, colour profiles, previews. Each has at most 64 KiB. */
  jpegSegments: { max: 1_000, unit: 'segments', over: 'badImage' },

  /** Of one request to invite people, each on a line or behind a comma. */
  addressesOfRequest: { max: 1_000, unit: 'addresses', over: 'tooManyAddressesAtOnce' },
  /** Channels of one request to subscribe or unsubscribe people. */
  channelsOfRequest: { max: 500, unit: 'channels', over: 'tooManyChannelsAtOnce' },
  /** The same, times the people. */
  subscriptionsOfRequest: { max: 20_000, unit: 'subscriptions', over: 'tooManySubscriptionsAtOnce' },
  /** Events that a client may leave unread before its queue ends. */
  eventQueueEvents: { max: 20_000, unit: 'events', over: 'badEventQueueId' },
  /** The same in bytes of their texts. */
  eventQueueBytes: { max: 16 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** Events of the log that happened since a client had everything, of which it is told again when its queue outlives a process. */
  eventsToldAgain: { max: 20_000, unit: 'events of the log', over: 'badEventQueueId' },
  /** Events of accounts, groups, channels and subscriptions from which it is found out who could see what back then. */
  directoryEventsFolded: { max: 200_000, unit: 'events of the log', over: 'badEventQueueId' },
  /** The queue that nobody asked for longest makes room for a new one. */
  eventQueuesOfAccount: { max: 1_000, unit: 'queues', over: 'badEventQueueId' },
  /** Unread in all queues of one account, each as if it were the only one; the queue that nobody asked for longest ends. */
  eventBytesOfAccount: { max: 32 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** Unread in all queues of a process, what they share counted once; the account with most loses a queue. */
  eventBytesOfProcess: { max: 256 * MEBIBYTE, unit: 'bytes', over: 'badEventQueueId' },
  /** One reply to `GET /events`; what is left comes with the next. A single event may be longer. */
  eventReplyBytes: { max: 2 * MEBIBYTE, unit: 'bytes', over: 'cut' },

  /** Of one request or reaction; the last, which tells how many were left out, is always kept. */
  spansOfTrace: { max: 200, unit: 'spans', over: 'cut' },
  /** Spans of a thread that wait for their collector; what is more is dropped, and logged. */
  spansWaiting: { max: 4_096, unit: 'spans', over: 'cut' },
} as const satisfies Record<string, Budget>;
