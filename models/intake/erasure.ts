/**
 * Erasure rules for the personal data of the intake: which rows are deleted, and which columns stay because they are
 * only ids.
 */
import type { Erasure } from '../identity/deletion/erasure.js';
import { deleteApplications } from './pnm-applications/deleteApplications.js';
import { eraseAccounts } from './provisioning/records.js';
import { deleteProspect } from './pnm/deleteProspect.js';

const FILE = 'Deleted with the prospective member’s profile.';
const APPLIED = 'Deleted with the prospective member’s profile, and when the address belongs to the person.';
const DECIDED =
  'The organization keeps the ids of the people who requested and decided; deleted with the prospective member’s profile.';
const LETTER = 'Data of a referee: deleted with the applicant’s profile.';
const CROSSED = 'The organization keeps the date on which a person became a member, by id.';

export const intakeErasure: Erasure = {
  retainedColumns: {
    'pnm_profiles.membership_id': FILE,
    'pnm_profiles.birth_date': FILE,
    'pnm_profiles.place_of_birth': FILE,
    'pnm_profiles.phone_number': FILE,
    'pnm_profiles.emergency_contact_phone': FILE,
    'pnm_applications.email': APPLIED,
    'pnm_applications.first_name': APPLIED,
    'pnm_applications.last_name': APPLIED,
    'pnm_name_assignments.requested_by': DECIDED,
    'pnm_name_assignments.reviewed_by': DECIDED,
    'pnm_reference_letters.email': LETTER,
    'pnm_reference_letters.requested_by': DECIDED,
    'recruitment_periods.changed_by': 'The decision is kept, by id.',
    'account_provisioning_records.membership_id':
      'The account at the provider is kept by id, so that it can be closed; its address is erased.',
    'crossings.membership_id': CROSSED,
    'crossings.started_by': CROSSED,
    'crossings.reverted_by': CROSSED,
  },
  inOrganization: async (userId, proven) => ({
    changed: (await deleteProspect(userId)) + (await deleteApplications(proven)) + (await eraseAccounts(userId)),
  }),
};
