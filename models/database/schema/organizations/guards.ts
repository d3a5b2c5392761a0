import { forced, type Guards, immutable, isolate, may, policy, touched } from '../../isolation.js';

const OWN = 'id = (SELECT app.org_id())';

export const guards: Guards = {
  organizations: [
    // looked up before a tenant is known, changed only within it
    forced,
    policy('look_up', 'SELECT', 'USING (true)'),
    policy('create_own', 'INSERT', `WITH CHECK (${OWN})`),
    policy('change_own', 'UPDATE', `USING (${OWN})`),
    may('SELECT, INSERT, UPDATE'),
    touched,
  ],
  regions: [isolate(), touched],
  chapters: [isolate(), touched],
  chapter_advisors: [isolate(), touched],
  officer_terms: [isolate(), touched],
  planned_terms: [isolate('SELECT, INSERT, UPDATE'), touched],
  hand_over_requests: [isolate('SELECT, INSERT, UPDATE'), touched],
  officer_term_notices: [isolate('SELECT, INSERT')],
  terms: [isolate(), touched],
  memberships: [isolate(), touched],
  // maintained only by triggers
  roster_names: [isolate('SELECT')],
  membership_periods: [isolate('SELECT')],
  // created and handed over by triggers; erased with the person
  member_profiles: [
    isolate(
      'SELECT, DELETE, UPDATE (preferred_name, date_of_birth, permanent_address_line1, permanent_address_line2, city, state, postal_code, country, version, updated_at)',
    ),
    touched,
  ],
  member_demographics: [isolate(), touched],
  completeness_configs: [isolate('SELECT, INSERT, UPDATE (fields, version, updated_at)'), touched],
  onboarding_items: [isolate('SELECT')],
  membership_scheduled_changes: [isolate('SELECT, INSERT, UPDATE'), touched],
  organization_admins: [isolate(), touched],
  regional_admins: [isolate(), touched],
  affiliations: [may('SELECT, INSERT, DELETE')],
  invitations: [isolate(), touched],
  social_posts: [isolate(), touched],
  bulletins: [isolate(), touched],
  bulletin_dismissals: [isolate('SELECT, INSERT, DELETE')],
  // published versions and their consents are kept; audience and number never change
  consent_templates: [
    isolate('SELECT, INSERT, DELETE, UPDATE (title, method, body_html, body_text, is_active, version, updated_at)'),
    touched,
  ],
  consent_versions: [isolate('SELECT, INSERT'), immutable],
  consent_records: [isolate('SELECT, INSERT'), immutable],
  // erased with the person
  consent_record_values: [isolate('SELECT, INSERT, DELETE')],
  invitation_mails: [isolate()],
  // unconfirmed requests are deleted
  account_requests: [isolate(), touched],
  stored_files: [
    isolate(
      'SELECT, INSERT, UPDATE (status, scan, name, media_type, size_bytes, sha256, kept_at, shown_at, storage_config_id)',
    ),
  ],
  // former, empty configurations are deleted by a function
  storage_migrations: [isolate('SELECT, INSERT, UPDATE'), touched],
  storage_provisionings: [isolate('SELECT, INSERT, UPDATE'), touched],
  stored_file_copies: [isolate()],
  storage_configs: [isolate('SELECT, INSERT, UPDATE'), touched],
  member_add_requests: [isolate('SELECT, INSERT, UPDATE'), touched],
  status_change_requests: [isolate('SELECT, INSERT, UPDATE'), touched],
  transfer_requests: [isolate('SELECT, INSERT, UPDATE'), touched],
  roster_exports: [isolate('SELECT, INSERT, UPDATE'), touched],
  bulk_imports: [isolate('SELECT, INSERT, UPDATE'), touched],
  bulk_import_rows: [isolate('SELECT, INSERT, UPDATE')],
  rollovers: [isolate('SELECT, INSERT, UPDATE'), touched],
  rollover_lines: [isolate('SELECT, INSERT, UPDATE (outcome, why, period_ordinal, ended_terms)')],
};
