import { json, link, moment, secret, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';
import { Contents } from './contents.js';

export const tooLarge = () => refuse.body_too_large('A draft holds 64 kB at most.');

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
  constraints: { pnm_drafts_contents_check: tooLarge },
}) {}
