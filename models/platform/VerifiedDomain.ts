import { link, moment, tenantKeys, text } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { refuse } from '../errors.js';

const TAKEN = { domain: ['Is verified already.'] };

/** An e-mail domain that the platform has seen to be an organization's. */
export class VerifiedDomain extends defineModel({
  table: 'verified_domains',
  columns: {
    ...tenantKeys,
    domain: text(253),
    verified_at: moment().computed('now()'),
    // The platform admin who saw to it; null once that account is gone.
    verified_by: link().nullable(),
  },
  constraints: { verified_domains_unique: () => refuse.duplicate('This domain is verified already.', TAKEN) },
}) {}
