import { z } from 'zod';
import { json, link, moment, oneOf, secret, tenantKeys, times, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import type { Sent } from './contents.js';

/** What an applicant has sent, once; of several the current one counts, and the others are kept. */
export class ApplicationVersion extends defineModel({
  table: 'pnm_application_versions',
  columns: {
    ...tenantKeys,
    application_id: link(),
    chapter_id: link(),
    contents: json(z.custom<Sent>()),
    state: oneOf(['pending', 'current', 'archived']).default('pending'),
    /** Whether whoever sent it was told that the mailbox has to answer. */
    asks_proof: yesOrNo().default(true),
    token_hash: secret(),
    confirm_hash: secret().nullable(),
    confirm_until: moment().nullable(),
    confirmed_at: moment().nullable(),
    /** What whoever sent it has asked for and a process does: of what never had to prove its mailbox alone. */
    wants: oneOf(['counted', 'withdrawn', 'erased']).nullable(),
    wanted_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
