import { json, link, moment, secret, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { Contents } from './contents.js';

/** What an applicant has typed so far, for whoever has its token. */
export class PnmDraft extends defineModel({
  table: 'pnm_drafts',
  columns: {
    ...tenantKeys,
    token_hash: secret(),
    contents: json(Contents).default({}),
    expires_at: moment(),
    version_id: link().nullable().kept().hidden(),
    ...stamps,
  },
}) {}
