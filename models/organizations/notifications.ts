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

/** Who decides the request for a member `r` now: in its region first, while somebody is there to, else the organization. */
const DECIDES_MEMBER_ADD = `
  SELECT region.user_id FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by) region
   WHERE r.status = 'pending_regional'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_regional'
       AND NOT EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by)))`;

const memberAddWhile = (condition: string): string => `
  SELECT jsonb_build_object('chapter', c.name, 'person', r.first_name || ' ' || r.last_name,
           'requester', coalesce((SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = r.requested_by), ''),
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM member_add_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

const memberAdd = {
  subject: 'member_add_request',
  path: '/member-add-requests/{subject}',
  needsAccess: true,
  unknownMail: 'again',
} as const;

/** Who decides the request for another status `r` now: officers of the chapter first, while another is there, else the organization. */
const DECIDES_STATUS = `
  SELECT leader.user_id FROM app.leaders_beside(r.organization_id, r.chapter_id, r.requested_by) leader
   WHERE r.status = 'pending_officer'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_officer'
       AND NOT EXISTS (SELECT FROM app.leaders_beside(r.organization_id, r.chapter_id, r.requested_by)))`;

const statusChangeWhile = (condition: string): string => `
  SELECT jsonb_build_object('chapter', c.name, 'status', replace(r.to_status, '_', ' '),
           'person', (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = r.requested_by),
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM status_change_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

const statusChange = {
  subject: 'status_change_request',
  path: '/status-change-requests/{subject}',
  needsAccess: true,
  unknownMail: 'again',
} as const;

/** Who decides the request for another chapter `r` now: officers there first, while another is there, else the organization. */
const DECIDES_TRANSFER = `
  SELECT leader.user_id FROM app.leaders_beside(r.organization_id, r.to_chapter_id, r.requested_by) leader
   WHERE r.status = 'pending_destination'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_destination'
       AND NOT EXISTS (SELECT FROM app.leaders_beside(r.organization_id, r.to_chapter_id, r.requested_by)))`;

const transferWhile = (condition: string): string => `
  SELECT jsonb_build_object('chapter', c.name, 'destination', d.name, 'person', u.first_name || ' ' || u.last_name,
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM transfer_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
    JOIN chapters d ON d.organization_id = r.organization_id AND d.id = r.to_chapter_id
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

const transfer = {
  subject: 'transfer_request',
  path: '/transfer-requests/{subject}',
  needsAccess: true,
  unknownMail: 'again',
} as const;

const ADMINS_OF = (row: string): string => `SELECT admin.user_id FROM organization_admins admin
  WHERE admin.organization_id = ${row}.organization_id AND admin.is_active`;

export const told = defineNotifications({
  account_requested: {
    event: 'approval_requested',
    who: 'The admins of the organization',
    subject: 'account_request',
    cause: 'requested',
    title: '{person} asks for an account',
    body: '{person} asks for an account, and has proven the address.',
    path: '/account-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: `SELECT who.user_id FROM account_requests r CROSS JOIN LATERAL (${ADMINS_OF('r')}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: `SELECT jsonb_build_object('person', r.first_name || ' ' || r.last_name) FROM account_requests r
      WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.status = 'pending'
        AND n.recipient_id IN (${ADMINS_OF('r')})`,
  },
  status_change_requested: {
    ...statusChange,
    event: 'approval_requested',
    who: 'The officers of the chapter, then the admins of the organization; never whoever asked',
    cause: 'requested',
    title: '{person} asks for another status',
    body: '{person} of {chapter} asks to become: {status}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM status_change_requests r CROSS JOIN LATERAL (${DECIDES_STATUS}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: statusChangeWhile(`n.recipient_id IN (${DECIDES_STATUS})`),
  },
  status_change_decided: {
    ...statusChange,
    event: 'request_decided',
    who: 'The member who asked',
    cause: 'decided',
    title: 'Your request for another status was {decision}',
    body: 'You asked in {chapter} to become: {status}. Your request was {decision}.{notes}',
    action: null,
    // The change may have ended it.
    needsAccess: false,
    recipients: `SELECT r.requested_by AS user_id FROM status_change_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: statusChangeWhile(`r.requested_by = n.recipient_id AND r.status IN ('approved', 'rejected')`),
  },
  transfer_requested: {
    ...transfer,
    event: 'approval_requested',
    who: 'The officers of the chapter that is to take a member in, then the admins of the organization; never whoever asked',
    cause: 'requested',
    title: 'A transfer to {destination} waits for your decision',
    body: '{person} is to come from {chapter} to {destination}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM transfer_requests r CROSS JOIN LATERAL (${DECIDES_TRANSFER}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: transferWhile(`n.recipient_id IN (${DECIDES_TRANSFER})`),
  },
  transfer_decided: {
    ...transfer,
    event: 'request_decided',
    who: 'Who asked, and the member',
    cause: 'decided',
    title: 'The transfer to {destination} was {decision}',
    body: '{person}, from {chapter} to {destination}: the request was {decision}.{notes}',
    action: null,
    needsAccess: false,
    recipients: `SELECT r.requested_by AS user_id FROM transfer_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id
      UNION SELECT m.user_id FROM transfer_requests r
        JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: transferWhile(`n.recipient_id IN (r.requested_by, m.user_id) AND r.status IN ('approved', 'rejected')`),
  },
  member_add_requested: {
    ...memberAdd,
    event: 'approval_requested',
    who: 'The admins of the region, then those of the organization; never whoever asked',
    cause: 'requested',
    title: 'A new member of {chapter} waits for your decision',
    body: '{requester} asks to add {person} to {chapter}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM member_add_requests r CROSS JOIN LATERAL (${DECIDES_MEMBER_ADD}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: memberAddWhile(`n.recipient_id IN (${DECIDES_MEMBER_ADD})`),
  },
  member_add_decided: {
    ...memberAdd,
    event: 'request_decided',
    who: 'The officer who asked',
    cause: 'decided',
    title: 'Your request to add {person} was {decision}',
    body: '{person} and {chapter}: your request was {decision}.{notes}',
    action: null,
    recipients: `SELECT r.requested_by AS user_id FROM member_add_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: memberAddWhile(`r.requested_by = n.recipient_id AND r.status IN ('approved', 'rejected')`),
  },
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
  rollover_ended: {
    // Whoever asked for it hears what became of that.
    event: 'request_decided',
    who: 'Who confirmed the rollover',
    subject: 'rollover',
    cause: 'ended',
    title: 'Rollover {year}: {status}',
    body: 'Moved: {moved} of {planned}.{returned}',
    path: '/rollovers/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('year', r.academic_year, 'status', r.status, 'moved', r.members_moved,
           'planned', r.members_planned, 'returned', CASE r.status WHEN 'reverted'
             THEN ' Taken back: ' || r.members_returned || '; left as they are: ' || r.members_kept || '.' ELSE '' END)
      FROM rollovers r WHERE r.organization_id = n.organization_id AND r.id = n.subject_id
       AND r.status NOT IN ('running', 'reverting')
       AND n.recipient_id IN (SELECT user_id FROM organization_admins
         WHERE organization_id = n.organization_id AND is_active)`,
    recipients: `SELECT coalesce(r.reverted_by, r.started_by) AS user_id FROM rollovers r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    unknownMail: 'again',
  },
  social_post_not_published: {
    // Whoever had it published hears what became of that.
    event: 'request_decided',
    who: 'Who wrote the post',
    subject: 'social_post',
    cause: 'ended',
    title: 'A post of yours {became}',
    body: '{text}',
    path: '/social-posts/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('became', CASE p.status WHEN 'failed' THEN 'was not published'
                ELSE 'may not be published: please look' END, 'text', left(p.text, 200))
      FROM social_posts p WHERE p.organization_id = n.organization_id AND p.id = n.subject_id
       AND p.author_id = n.recipient_id AND p.status IN ('failed', 'unknown')`,
    recipients: `SELECT p.author_id AS user_id FROM social_posts p
      WHERE p.organization_id = s.organization_id AND p.id = s.subject_id`,
    unknownMail: 'again',
  },
  office_ended: {
    ...office,
    cause: 'ended',
    title: 'You are an administrator no longer',
    body: 'You administer {place} no longer.',
    facts: officeWhile(`NOT ${HOLDS}`),
  },
});
