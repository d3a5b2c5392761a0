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
  triggers: {
    memberships_accounts: ['account_provisioning_records', 'starts provisionAccount'],
    memberships_accounts_accepted: ['account_provisioning_records', 'starts provisionAccount'],
    memberships_accounts_begin: ['account_provisioning_records', 'starts provisionAccount'],
    memberships_affiliation: ['affiliations'],
    memberships_carry_to_account: ['crossing_fields', 'crossings', 'starts cross'],
    memberships_forums: ['forum_memberships', 'notification_deliveries', 'notifications'],
    memberships_invitation: ['invitations'],
    memberships_period: ['membership_periods'],
    memberships_periods_begin: ['membership_periods'],
    memberships_profile: ['member_profiles'],
    memberships_prospects: ['crossings', 'pnm_name_assignments', 'pnm_profiles', 'starts cross'],
    memberships_prospects_begin: ['crossings', 'pnm_name_assignments', 'pnm_profiles', 'starts cross'],
    memberships_roster_name: ['roster_names'],
    memberships_roster_names_begin: ['roster_names'],
    memberships_terms: ['officer_terms'],
    memberships_terms_begin: ['officer_terms'],
    memberships_welcome: ['member_profiles', 'onboarding_items'],
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
