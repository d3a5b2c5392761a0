import { z } from 'zod';
import { json, link, moment, oneOf, secret, tenantKeys, times, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import type { SubmittedContents } from './contents.js';

/** A submitted version of an application. Only the current version counts; the others are kept. */
export class ApplicationVersion extends defineModel({
  table: 'pnm_application_versions',
  columns: {
    ...tenantKeys,
    application_id: link(),
    chapter_id: link(),
    contents: json(z.custom<SubmittedContents>()),
    state: oneOf(['pending', 'current', 'archived']).default('pending'),
    /** Whether the form required a confirmed mailbox when the version was sent. */
    asks_proof: yesOrNo().default(true),
    token_hash: secret(),
    confirm_hash: secret().nullable(),
    confirm_until: moment().nullable(),
    confirmed_at: moment().nullable(),
    /**
     * The action that a background process is to carry out for this version. Set only for versions that were submitted
     * without a confirmed mailbox.
     */
    wants: oneOf(['counted', 'withdrawn', 'erased']).nullable(),
    wanted_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
