import { type Guards, isolate, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  // A trigger creates a profile together with the membership. Profiles are deleted when the person is erased.
  pnm_profiles: [isolate('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  crossings: [isolate('SELECT, INSERT, UPDATE (carried_at, welcomed_at, cancelled_at, reverted_at, reverted_by)')],
  pnm_name_assignments: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  recruitment_periods: [isolate(), trackUpdates],
  pnm_application_configs: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  // Applications are deleted with the profile, or when their address was never confirmed.
  pnm_applications: [isolate(), trackUpdates],
  pnm_application_versions: [isolate()],
  pnm_drafts: [isolate(), trackUpdates],
  pnm_attachments: [isolate()],
  account_provisioning_configs: [isolate(), trackUpdates],
  account_provisioning_rests: [isolate()],
  account_provisioning_records: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  // Rows of these two tables are deleted together with the profile.
  pnm_reference_letters: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  pnm_reference_letter_tokens: [isolate('SELECT, INSERT')],
  // Each field is recorded once and never updated. Fields that wait for an account are deleted and recorded again.
  crossing_fields: [isolate('SELECT, INSERT, DELETE')],
};
