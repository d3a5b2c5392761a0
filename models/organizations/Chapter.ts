import { day, link, name, oneOf, stamps, tenant, tenantKeys } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid, duplicateValue } from '../errors.js';
import { organizationsErrors } from './errors.js';
import { CHAPTER_STATUSES } from './vocabulary.js';

export class Chapter extends defineModel({
  table: 'chapters',
  subject: 'chapter',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    region_id: link().as('region').nullable(),
    name: name(200),
    designation: name(50).nullable().meta({ example: 'Alpha Beta' }),
    university: name(200).nullable(),
    city: name(100).nullable(),
    state: name(50).nullable(),
    founded_date: day().nullable(),
    status: oneOf(CHAPTER_STATUSES).default('active'),
    ...stamps,
  },
  triggers: { chapters_forums: ['forum_memberships', 'notification_deliveries', 'notifications'] },
  constraints: {
    chapters_name_unique: duplicateValue('name', 'Another chapter has this name.'),
    chapters_organization_id_region_id_fkey: () => invalid('region', 'There is no such region.'),
    chapter_transition: () =>
      organizationsErrors.transition_not_allowed(
        'An inactive chapter cannot be suspended. Set its status to active first.',
      ),
  },
}) {}
