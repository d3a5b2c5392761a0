import { translateConstraints } from '../database/constraints.js';
import { defineErrors, invalid, refuse } from '../errors.js';
import { identityErrors } from '../identity/errors.js';

/** Refusals of the organizations area. */
export const organizationsErrors = defineErrors({
  admin_exists: [409, 'This person is an admin of the organization already. Reactivate the existing entry.'],
  regional_admin_exists: [409, 'This person is an admin of this region already. Reactivate the existing entry.'],
  membership_exists: [409, 'This person has a membership in this chapter already.'],
  impersonable_search_forbidden: [403, 'Only admins of the organization may search for whom they could impersonate.'],
  term_overlap: [409, 'This term overlaps another one.'],
});

const taken = (field: string, message: string) => () => refuse.duplicate(message, { [field]: [message] });

translateConstraints({
  last_admin: () => identityErrors.last_admin(),
  organization_admins_user_unique: () => organizationsErrors.admin_exists(),
  regional_admins_user_region_unique: () => organizationsErrors.regional_admin_exists(),
  regional_admins_organization_id_region_id_fkey: () => invalid('region', 'There is no such region.'),
  memberships_user_chapter_unique: () => organizationsErrors.membership_exists(),
  memberships_season_requires_year: () => invalid('graduation_season', 'A season requires a graduation year.'),
  memberships_graduation_year: () => invalid('graduation_year', 'Must be from 1900 to 2100.'),
  organizations_slug_unique: taken('slug', 'Another organization has this slug.'),
  regions_name_unique: taken('name', 'Another region has this name.'),
  chapters_name_unique: taken('name', 'Another chapter has this name.'),
  chapters_organization_id_region_id_fkey: () => invalid('region', 'There is no such region.'),
  terms_name_unique: taken('name', 'Another term has this name.'),
  terms_start_unique: () => organizationsErrors.term_overlap(),
  terms_no_overlap: () => organizationsErrors.term_overlap(),
  terms_dates: () => invalid('ends_on', 'Must be after starts_on.'),
});
