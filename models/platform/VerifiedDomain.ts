import { link, moment, tenantKeys, text } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { refuse } from '../errors.js';

const ALREADY_VERIFIED = { domain: ['This domain is already verified.'] };

/** An e-mail domain that the platform has verified to belong to an organization. */
export class VerifiedDomain extends defineModel({
  table: 'verified_domains',
  columns: {
    ...tenantKeys,
    domain: text(253),
    verified_at: moment().computed('now()'),
    // The platform admin who verified it; null once that account is deleted.
    verified_by: link().nullable(),
  },
  constraints: {
    verified_domains_unique: () => refuse.duplicate('This domain is already verified.', ALREADY_VERIFIED),
  },
}) {}
