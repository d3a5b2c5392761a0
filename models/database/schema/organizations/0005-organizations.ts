import type { Migration } from '../../schemaFiles.js';

/** Creates chapters and their members, requests about members, files, consents and bulletins. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, [
    'structure',
    'people',
    'roster-names',
    'member-handles',
    'membership-periods',
    'scheduled-changes',
    'officer-terms',
    'invitations',
    'files',
    'member-requests',
    'account-requests',
    'profiles',
    'consents',
    'rollovers',
    'imports',
    'roster-exports',
    'bulletins',
    'social-posts',
  ]);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      social_posts, bulletin_dismissals, bulletins, roster_exports, bulk_import_rows, bulk_imports, rollover_lines,
      rollovers, consent_record_values, consent_records, consent_versions, consent_templates, completeness_configs,
      onboarding_items, member_demographics, member_profiles, account_requests, transfer_requests,
      status_change_requests, member_add_requests, storage_provisionings, stored_file_copies, storage_migrations,
      stored_files, storage_configs, invitation_mails, invitations, officer_term_notices, hand_over_requests,
      planned_terms, officer_terms, membership_scheduled_changes, membership_periods, member_handles, roster_names, affiliations,
      regional_admins, organization_admins, memberships, terms, chapter_advisors, chapters, regions CASCADE;
  `);
