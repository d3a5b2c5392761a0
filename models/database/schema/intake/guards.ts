import { type Guards, isolate, touched } from '../../isolation.js';

export const guards: Guards = {
  // created by a trigger with the membership; erased with the person
  pnm_profiles: [isolate('SELECT, INSERT, UPDATE, DELETE'), touched],
  crossings: [isolate('SELECT, INSERT, UPDATE (carried_at, welcomed_at, cancelled_at, reverted_at, reverted_by)')],
  pnm_name_assignments: [isolate('SELECT, INSERT, UPDATE'), touched],
  recruitment_periods: [isolate(), touched],
  pnm_application_configs: [isolate('SELECT, INSERT, UPDATE'), touched],
  // erased with the profile, or when the address was never confirmed
  pnm_applications: [isolate(), touched],
  pnm_application_versions: [isolate()],
  pnm_drafts: [isolate(), touched],
  pnm_attachments: [isolate()],
  account_provisioning_configs: [isolate(), touched],
  account_provisioning_rests: [isolate()],
  account_provisioning_records: [isolate('SELECT, INSERT, UPDATE'), touched],
  pnm_reference_letters: [isolate(), touched],
  pnm_reference_letter_tokens: [isolate('SELECT, INSERT, DELETE')],
  // recorded once per field; fields that wait for an account are deleted and recorded again
  crossing_fields: [isolate('SELECT, INSERT, DELETE')],
};
