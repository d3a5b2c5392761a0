import { forceRowSecurity, type Guards, immutable, isolate, grant, policy, trackUpdates } from '../../isolation.js';

const OWN = 'id = (SELECT app.org_id())';

export const guards: Guards = {
  organizations: [
    // Organizations are looked up before the tenant of a request is known, but they change only within their own
    // tenant.
    forceRowSecurity,
    policy('look_up', 'SELECT', 'USING (true)'),
    policy('create_own', 'INSERT', `WITH CHECK (${OWN})`),
    policy('change_own', 'UPDATE', `USING (${OWN})`),
    grant('SELECT, INSERT, UPDATE'),
    trackUpdates,
  ],
  regions: [isolate(), trackUpdates],
  chapters: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  chapter_advisors: [isolate(), trackUpdates],
  officer_terms: [isolate(), trackUpdates],
  planned_terms: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  hand_over_requests: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  officer_term_notices: [isolate('SELECT, INSERT')],
  terms: [isolate(), trackUpdates],
  memberships: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  // The runtime role may only read the next two tables, because triggers maintain them.
  roster_names: [isolate('SELECT')],
  membership_periods: [isolate('SELECT')],
  // Triggers create profiles and move them to another account. The runtime role may edit them, and delete them when the
  // person is erased.
  member_profiles: [
    isolate(
      'SELECT, DELETE, UPDATE (preferred_name, date_of_birth, permanent_address_line1, permanent_address_line2, city, state, postal_code, country, version, updated_at)',
    ),
    trackUpdates,
  ],
  member_demographics: [isolate(), trackUpdates],
  completeness_configs: [isolate('SELECT, INSERT, UPDATE (fields, version, updated_at)'), trackUpdates],
  onboarding_items: [isolate('SELECT')],
  membership_scheduled_changes: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  organization_admins: [isolate(), trackUpdates],
  regional_admins: [isolate(), trackUpdates],
  affiliations: [grant('SELECT, INSERT, DELETE')],
  // A trigger of affiliations inserts handles. The runtime role may change them, and delete them with the person.
  member_handles: [isolate('SELECT, DELETE, UPDATE (handle, version, updated_at)'), trackUpdates],
  invitations: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  social_posts: [isolate(), trackUpdates],
  bulletins: [isolate(), trackUpdates],
  bulletin_dismissals: [isolate('SELECT, INSERT, DELETE')],
  // Published versions and the consents to them never change. A template's audience and its published version number
  // cannot be edited.
  consent_templates: [
    isolate('SELECT, INSERT, DELETE, UPDATE (title, method, body_html, body_text, is_active, version, updated_at)'),
    trackUpdates,
  ],
  consent_versions: [isolate('SELECT, INSERT'), immutable],
  consent_records: [isolate('SELECT, INSERT'), immutable],
  // Typed names and IP addresses can be deleted, because they are erased with the person.
  consent_record_values: [isolate('SELECT, INSERT, DELETE')],
  invitation_mails: [isolate()],
  // Account requests can be deleted, because requests that were never confirmed are removed.
  account_requests: [isolate(), trackUpdates],
  stored_files: [
    isolate(
      'SELECT, INSERT, UPDATE (status, scan, name, media_type, size_bytes, sha256, kept_at, shown_at, storage_config_id)',
    ),
  ],
  // Storage rows cannot be deleted by the runtime role. A function (app.forget_left_stores) deletes former
  // configurations that hold no files.
  storage_migrations: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  storage_provisionings: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  stored_file_copies: [isolate()],
  storage_configs: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  member_add_requests: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  status_change_requests: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  transfer_requests: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  roster_exports: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  bulk_imports: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  bulk_import_rows: [isolate('SELECT, INSERT, UPDATE')],
  rollovers: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  rollover_lines: [isolate('SELECT, INSERT, UPDATE (outcome, why, period_ordinal, ended_terms)')],
};
