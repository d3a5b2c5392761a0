/** What a person leaves behind in an organization's intake: that and when they crossed, by id. */
import type { Erasure } from '../identity/deletion/erasure.js';
import { forgetApplications } from './pnm-applications/forgetApplications.js';
import { forgetAccounts } from './provisioning/records.js';
import { forgetProspect } from './pnm/forgetProspect.js';

const FILE = 'Deleted with the file of the intake.';
const APPLIED = 'Deleted with the file of the intake, and where the address is one of the person’s.';
const DECIDED = 'Who proposed and decided is an organization’s to keep, by id; goes with the file of the intake.';
const LETTER = 'Of whoever writes about an applicant: deleted with the file of that applicant’s intake.';
const CROSSED = 'When somebody became a member is an organization’s to keep, by id.';

export const intakeErasure: Erasure = {
  kept: {
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
    'recruitment_periods.changed_by': 'What was decided, by id.',
    'account_provisioning_records.membership_id':
      'That there is an account at the provider, by whose id it is shut; its address goes.',
    'crossings.membership_id': CROSSED,
    'crossings.started_by': CROSSED,
    'crossings.reverted_by': CROSSED,
  },
  inOrganization: async (userId, proven) => ({
    changed: (await forgetProspect(userId)) + (await forgetApplications(proven)) + (await forgetAccounts(userId)),
  }),
};
