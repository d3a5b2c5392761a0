import { z } from 'zod';
import { day, name, stamps, tenant, tenantKeys } from '../database/model/columns.js';
import { defineModel, derived } from '../database/model/defineModel.js';
import { invalid, duplicateValue } from '../errors.js';
import { organizationsErrors } from './errors.js';

/**
 * A term of the organization's calendar, for example a semester. Its days include both ends. Terms do not overlap, so
 * at most one is current.
 */
export class Term extends defineModel({
  table: 'terms',
  subject: 'term',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    name: name(100).meta({ example: 'Fall 2026' }),
    starts_on: day().meta({ example: '2026-08-15' }),
    ends_on: day().meta({ example: '2026-12-20' }),
    ...stamps,
  },
  derived: {
    is_current: derived(
      z.boolean().meta({ description: "Whether today is one of its days, in the organization's time zone." }),
      `(SELECT app.local_day(timezone) FROM organizations WHERE id = terms.organization_id)
         BETWEEN terms.starts_on AND terms.ends_on`,
    ),
  },
  rule: {
    holds: ({ starts_on, ends_on }) => starts_on < ends_on,
    field: 'ends_on',
    message: 'Must be after starts_on.',
  },
  constraints: {
    terms_name_unique: duplicateValue('name', 'Another term has this name.'),
    terms_start_unique: organizationsErrors.term_overlap,
    terms_no_overlap: organizationsErrors.term_overlap,
    terms_dates: () => invalid('ends_on', 'Must be after starts_on.'),
  },
}) {}
