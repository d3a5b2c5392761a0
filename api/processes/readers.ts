import { isNotifiedProcess } from '../../models/processes/notifyOfIncidents.js';
import { may } from '../http/policy.js';
import { defineReaders } from '../http/readers.js';
import { processPolicy } from './policy.js';

// The subject is the row that a stuck process is about, which may be of any kind.
defineReaders({
  process: async (actor, id) => may(actor, processPolicy, 'read') && (await isNotifiedProcess(id)),
});
