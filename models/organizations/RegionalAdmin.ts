import { link, name, oneOf, stamps, tenantKeys, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid } from '../errors.js';
import { organizationsErrors } from './errors.js';
import { REGIONAL_ROLES } from './vocabulary.js';

/** A person who administers a region. */
export class RegionalAdmin extends defineModel({
  table: 'regional_admins',
  subject: 'regional_admin',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    region_id: link().as('region').fixed(),
    user_id: link().as('user').serverSet(),
    role: oneOf(REGIONAL_ROLES),
    title: name(100).nullable(),
    is_active: yesOrNo().default(true),
    ...stamps,
  },
  triggers: {
    regional_admins_affiliation: ['affiliations'],
    regional_admins_forums: ['forum_memberships', 'notification_deliveries', 'notifications'],
    regional_admins_forums_removed: ['forum_memberships', 'notification_deliveries', 'notifications'],
  },
  constraints: {
    regional_admins_user_region_unique: organizationsErrors.regional_admin_exists,
    regional_admins_organization_id_region_id_fkey: () => invalid('region', 'There is no such region.'),
  },
}) {}
