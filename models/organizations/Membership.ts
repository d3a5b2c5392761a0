import { day, integer, link, name, oneOf, stamps, tenantKeys, text } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { invalid } from '../errors.js';
import { organizationsErrors } from './errors.js';
import { graduationColumns } from './graduation.js';
import { GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from './vocabulary.js';

const { first, last } = GRADUATION_YEARS;

/** A person's membership in a chapter; one per person and chapter (spec: Membership rules). */
export class Membership extends defineModel({
  table: 'memberships',
  subject: 'membership',
  person: 'user_id',
  columns: {
    ...tenantKeys,
    user_id: link().as('user').serverSet(),
    chapter_id: link().as('chapter').serverSet(),
    role: oneOf(MEMBERSHIP_ROLES).default('member'),
    status: oneOf(MEMBERSHIP_STATUSES).default('undergrad'),
    joined_date: day().nullable(),
    ...graduationColumns,
    pledge_class: name(100).nullable(),
    line_number: integer(0, 10_000).nullable(),
    crossing_semester: text(50).nullable(),
    crossing_date: day().nullable(),
    ...stamps,
  },
  constraints: {
    not_in_active_standing: organizationsErrors.not_in_active_standing,
    later_change_exists: organizationsErrors.later_change_exists,
    chapter_not_active: organizationsErrors.chapter_not_active,
    person_gone: organizationsErrors.person_gone,
    memberships_user_chapter_unique: organizationsErrors.membership_exists,
    memberships_season_requires_year: () => invalid('graduation_season', 'A season requires a graduation year.'),
    memberships_graduation_year: () => invalid('graduation_year', `Must be from ${first} to ${last}.`),
  },
}) {}
