import type { Part } from '../support/steps.js';
import { beginning } from './beginning.js';
import { personalRecords } from './personal-records.js';
import { channels } from './channels.js';
import { ending } from './ending.js';
import { files } from './files.js';
import { later } from './later.js';
import { messages } from './messages.js';
import { newcomers } from './newcomers.js';
import { organization } from './organization.js';
import { people } from './people.js';
import { reading } from './reading.js';

/** The parts of the session, in order. */
export const parts: readonly Part[] = [
  beginning,
  people,
  organization,
  channels,
  messages,
  reading,
  personalRecords,
  files,
  newcomers,
  ending,
  later,
];
