import { type Guards, immutable, isolate, may, touched } from '../../isolation.js';

export const guards: Guards = {
  regions: [isolate(), touched],
  chapters: [isolate(), touched],
  terms: [isolate(), touched],
  memberships: [isolate(), touched],
  organization_admins: [isolate(), touched],
  regional_admins: [isolate(), touched],
  affiliations: [may('SELECT, INSERT, DELETE')],
  invitations: [isolate(), touched],
  invitation_mails: [isolate()],
  audit_log: [isolate('SELECT, INSERT'), immutable],
};
