import { link, name, stamps, tenantKeys, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { identityErrors } from '../identity/errors.js';
import { organizationsErrors } from './errors.js';

/** A person who administers an organization. The database keeps at least one admin of each organization active. */
export class OrganizationAdmin extends defineModel({
  table: 'organization_admins',
  subject: 'organization_admin',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').serverSet(),
    title: name(100).nullable(),
    is_active: yesOrNo().default(true),
    ...stamps,
  },
  triggers: {
    organization_admins_affiliation: ['affiliations'],
    organization_admins_forums: ['forum_memberships', 'notification_deliveries', 'notifications'],
    organization_admins_forums_removed: ['forum_memberships', 'notification_deliveries', 'notifications'],
  },
  constraints: {
    last_admin: identityErrors.last_admin,
    organization_admins_user_unique: organizationsErrors.admin_exists,
  },
}) {}
