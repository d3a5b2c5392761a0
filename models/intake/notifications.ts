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

const applicationSays = (event: string, state: string): string => `
  SELECT jsonb_build_object('chapter', c.name, 'person', p.first_name || ' ' || p.last_name)
    FROM pnm_applications p JOIN chapters c ON c.organization_id = p.organization_id AND c.id = p.chapter_id
   WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND p.state = '${state}'
     AND n.recipient_id IN (SELECT user_id FROM app.application_audience(p.organization_id, p.chapter_id, '${event}'))`;

const application = (event: string, state: string) =>
  ({
    event: 'approval_requested',
    who: 'Whom the organization routes it to, else the officers of the chapter; where those are nobody, the admins',
    subject: 'pnm_application',
    cause: event,
    path: '/applications/{subject}',
    needsAccess: true,
    unknownMail: 'again',
    action: null,
    recipients: `SELECT who.user_id FROM pnm_applications a
      CROSS JOIN LATERAL app.application_audience(a.organization_id, a.chapter_id, '${event}') who
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: applicationSays(event, state),
  }) as const;

export const told = defineNotifications({
  pnm_application_received: {
    ...application('application_received', 'received'),
    title: 'Somebody applies to {chapter}',
    body: '{person} has applied to {chapter}.',
    action: 'Look at it',
  },
  pnm_application_replaced: {
    ...application('application_replaced', 'received'),
    title: 'An application to {chapter} was changed',
    body: '{person} has sent their application anew.',
  },
  pnm_application_withdrawn: {
    ...application('application_withdrawn', 'withdrawn'),
    title: 'An application to {chapter} was withdrawn',
    body: '{person} does not apply to {chapter} any more.',
  },
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
