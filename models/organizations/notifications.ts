/** What organizations tell people of: their place in them. It reaches those who have lost access by it, too. */
import { defineNotifications } from '../notifications/types.js';

const membership = {
  event: 'membership_changed',
  who: 'Whose membership it is',
  subject: 'membership',
  path: '/memberships/{subject}',
  action: null,
  needsAccess: false,
  facts: `SELECT jsonb_build_object('chapter', c.name, 'status', replace(m.status, '_', ' '), 'role', m.role)
      FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
     WHERE m.organization_id = n.organization_id AND m.id = n.subject_id AND m.user_id = n.recipient_id`,
  // Who is only named here has an invitation.
  recipients: `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
     WHERE m.organization_id = s.organization_id AND m.id = s.subject_id`,
  unknownMail: 'again',
} as const;

/** SQL of the name of what the office that is the subject administers, and of its role there; by then it may be gone. */
const OFFICE = `FROM organizations o
    LEFT JOIN organization_admins oa ON oa.organization_id = o.id AND oa.id = n.subject_id AND oa.user_id = n.recipient_id
    LEFT JOIN regional_admins ra ON ra.organization_id = o.id AND ra.id = n.subject_id AND ra.user_id = n.recipient_id
    LEFT JOIN regions r ON r.organization_id = o.id AND r.id = ra.region_id
   WHERE o.id = n.organization_id`;
const officeWhile = (condition: string): string => `
  SELECT jsonb_build_object('place', coalesce('the region ' || r.name, o.name),
           'role', ' as ' || replace(ra.role, '_', ' ')) ${OFFICE} AND ${condition}`;
const HOLDS = 'coalesce(oa.is_active, ra.is_active, false)';

const office = {
  event: 'membership_changed',
  who: 'Whose office it is',
  subject: 'office',
  path: '/',
  action: null,
  needsAccess: false,
  recipients: null,
  unknownMail: 'again',
} as const;

export const told = defineNotifications({
  membership_added: {
    ...membership,
    cause: 'added',
    title: 'You were added to {chapter}',
    body: 'Your role there: {role}.',
    mailedAsAccountNotice: true,
  },
  membership_changed: {
    ...membership,
    cause: 'changed',
    title: 'Your membership in {chapter} was changed',
    body: 'Your status there is now: {status}. Your role: {role}.',
  },
  office_given: {
    ...office,
    cause: 'given',
    title: 'You were made an administrator',
    body: 'You administer {place}{role} from now on.',
    facts: officeWhile(HOLDS),
    mailedAsAccountNotice: true,
  },
  office_changed: {
    ...office,
    cause: 'changed',
    title: 'Your office was changed',
    body: 'You administer {place}{role} from now on.',
    facts: officeWhile(HOLDS),
  },
  office_ended: {
    ...office,
    cause: 'ended',
    title: 'You are an administrator no longer',
    body: 'You administer {place} no longer.',
    facts: officeWhile(`NOT ${HOLDS}`),
  },
});
