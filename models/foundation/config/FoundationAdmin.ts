import { link, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { duplicateValue } from '../../errors.js';
import { foundationErrors } from '../errors.js';

export const FOUNDATION_ROLES = ['admin', 'editor'] as const;
export type FoundationRole = (typeof FOUNDATION_ROLES)[number];

/**
 * A person who works for the foundation, as editor or admin. An editor can read its campaigns and gifts; an admin can
 * do everything.
 */
export class FoundationAdmin extends defineModel({
  table: 'foundation_admins',
  subject: 'foundation_admin',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    foundation_id: link().serverSet().hidden(),
    user_id: link().as('user').fixed(),
    role: oneOf(FOUNDATION_ROLES),
    ...stamps,
  },
  constraints: {
    foundation_admins_once: duplicateValue('user', 'This person already has a role in the foundation.'),
    foundation_keeps_an_admin: foundationErrors.last_foundation_admin,
  },
}) {}
