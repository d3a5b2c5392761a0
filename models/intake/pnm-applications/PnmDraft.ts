import { json, link, moment, secret, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { refuse } from '../../errors.js';
import { Contents } from './contents.js';

export const tooLarge = () => refuse.body_too_large('A draft can hold at most 64 kB.');

/** A draft of an application. Anyone who has its token can read and edit it. */
export class PnmDraft extends defineModel({
  table: 'pnm_drafts',
  columns: {
    ...tenantKeys,
    token_hash: secret(),
    contents: json(Contents).default({}),
    expires_at: moment(),
    version_id: link().nullable().serverSet().hidden(),
    ...stamps,
  },
  constraints: { pnm_drafts_contents_check: tooLarge },
}) {}
