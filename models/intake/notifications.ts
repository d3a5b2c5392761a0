/** What the intake tells people of: names that wait for a decision, and what was decided. */
import { defineNotifications } from '../notifications/types.js';

const ADMINS = `SELECT admin.user_id FROM organization_admins admin
  WHERE admin.organization_id = a.organization_id AND admin.is_active AND admin.user_id <> a.requested_by`;

const assignmentWhile = (condition: string): string => `
  SELECT jsonb_build_object('name', a.name, 'chapter', c.name, 'person', u.first_name || ' ' || u.last_name,
           'decision', a.status, 'notes', coalesce(' ' || a.review_notes, ''))
    FROM pnm_name_assignments a JOIN chapters c ON c.organization_id = a.organization_id AND c.id = a.chapter_id
    JOIN pnm_profiles p ON p.organization_id = a.organization_id AND p.id = a.profile_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE a.organization_id = n.organization_id AND a.id = n.subject_id AND ${condition}`;

const assignment = {
  subject: 'pnm_name_assignment',
  path: '/name-assignments/{subject}',
  needsAccess: true,
  unknownMail: 'again',
} as const;

export const told = defineNotifications({
  pnm_name_pending: {
    ...assignment,
    event: 'approval_requested',
    who: 'The admins of the organization; never whoever proposed it',
    cause: 'requested',
    title: '{chapter} proposes a name',
    body: '{person} is to be called {name}. With your approval they cross.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM pnm_name_assignments a CROSS JOIN LATERAL (${ADMINS}) who
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: assignmentWhile(`a.status = 'proposed' AND n.recipient_id IN (${ADMINS})`),
  },
  pnm_name_decided: {
    ...assignment,
    event: 'request_decided',
    who: 'Who proposed it',
    cause: 'decided',
    title: 'The name {name} was {decision}',
    body: '{name} for {person} of {chapter} was {decision}.{notes}',
    action: null,
    recipients: `SELECT a.requested_by AS user_id FROM pnm_name_assignments a
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: assignmentWhile(`a.requested_by = n.recipient_id AND a.status IN ('approved', 'rejected')`),
  },
});
