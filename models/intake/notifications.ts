/** Notifications of the intake: applications, reference letters, and name proposals and their decisions. */
import { defineNotifications } from '../notifications/types.js';

const ADMINS = `SELECT admin.user_id FROM organization_admins admin
  WHERE admin.organization_id = a.organization_id AND admin.is_active AND admin.user_id <> a.requested_by`;

const assignmentFacts = (condition: string): string => `
  SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id IS DISTINCT FROM a.requested_by THEN a.chapter_id END, 'name', a.name, 'chapter', c.name, 'person', u.first_name || ' ' || u.last_name,
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

const applicationFacts = (event: string, state: string): string => `
  SELECT jsonb_build_object('office_of', p.chapter_id, 'chapter', c.name, 'person', p.first_name || ' ' || p.last_name)
    FROM pnm_applications p JOIN chapters c ON c.organization_id = p.organization_id AND c.id = p.chapter_id
   WHERE p.organization_id = n.organization_id AND p.id = n.subject_id AND p.state = '${state}'
     AND n.recipient_id IN (SELECT user_id FROM app.application_audience(p.organization_id, p.chapter_id, '${event}'))`;

const application = (event: string, state: string) =>
  ({
    event: 'approval_requested',
    who: 'The recipients configured by the organization, else the officers of the chapter, else the admins',
    subject: 'pnm_application',
    cause: event,
    path: '/applications/{subject}',
    needsAccess: true,
    unknownMail: 'again',
    action: null,
    recipients: `SELECT who.user_id FROM pnm_applications a
      CROSS JOIN LATERAL app.application_audience(a.organization_id, a.chapter_id, '${event}') who
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: applicationFacts(event, state),
  }) as const;

const letterFacts = (condition: string): string => `
  SELECT jsonb_build_object('office_of', p.chapter_id, 'person', u.first_name || ' ' || u.last_name, 'referee', l.name, 'pnm', p.id, 'became', l.status)
    FROM pnm_reference_letters l JOIN pnm_profiles p ON p.organization_id = l.organization_id AND p.id = l.profile_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE l.organization_id = n.organization_id AND l.id = n.subject_id AND ${condition}
     AND n.recipient_id IN (SELECT user_id FROM app.application_audience(l.organization_id, p.chapter_id, 'application_received'))`;

const letter = {
  event: 'approval_requested',
  who: 'The people who are notified of applications to the chapter',
  subject: 'pnm_reference_letter',
  path: '/pnm/{pnm}',
  needsAccess: true,
  unknownMail: 'again',
  action: null,
  recipients: `SELECT who.user_id FROM pnm_reference_letters l
    JOIN pnm_profiles p ON p.organization_id = l.organization_id AND p.id = l.profile_id
    CROSS JOIN LATERAL app.application_audience(l.organization_id, p.chapter_id, 'application_received') who
    WHERE l.organization_id = s.organization_id AND l.id = s.subject_id`,
} as const;

export const notifications = defineNotifications({
  pnm_application_received: {
    ...application('application_received', 'received'),
    title: 'New application to {chapter}',
    body: '{person} has applied to {chapter}.',
    action: 'View application',
  },
  pnm_application_replaced: {
    ...application('application_replaced', 'received'),
    title: 'An application to {chapter} was changed',
    body: '{person} has submitted their application again.',
  },
  pnm_application_withdrawn: {
    ...application('application_withdrawn', 'withdrawn'),
    title: 'An application to {chapter} was withdrawn',
    body: '{person} has withdrawn their application to {chapter}.',
  },
  pnm_letter_received: {
    ...letter,
    cause: 'received',
    title: 'Letter about {person} received',
    body: '{referee} has written a letter about {person}.',
    facts: letterFacts(`l.status = 'submitted'`),
  },
  pnm_letter_missing: {
    ...letter,
    cause: 'missing',
    title: 'No letter about {person} will arrive',
    body: 'The letter from {referee} about {person} will not arrive: the request is {became}. Ask another person, or waive the letter.',
    facts: letterFacts(`l.status IN ('declined', 'expired', 'undeliverable')`),
  },
  pnm_name_pending: {
    ...assignment,
    event: 'approval_requested',
    who: 'The admins of the organization, except the person who proposed it',
    cause: 'requested',
    title: '{chapter} proposes a name',
    body: 'The proposed name for {person} is {name}. If you approve it, they cross.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM pnm_name_assignments a CROSS JOIN LATERAL (${ADMINS}) who
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: assignmentFacts(`a.status = 'proposed' AND n.recipient_id IN (${ADMINS})`),
  },
  pnm_name_decided: {
    ...assignment,
    event: 'request_decided',
    who: 'The person who proposed it',
    cause: 'decided',
    title: 'The name {name} was {decision}',
    body: '{name} for {person} of {chapter} was {decision}.{notes}',
    action: null,
    recipients: `SELECT a.requested_by AS user_id FROM pnm_name_assignments a
      WHERE a.organization_id = s.organization_id AND a.id = s.subject_id`,
    facts: assignmentFacts(`a.requested_by = n.recipient_id AND a.status IN ('approved', 'rejected')`),
  },
});
