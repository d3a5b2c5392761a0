/**
 * Notifications of the organizations area about people's memberships and offices. They also reach people who lose
 * access by the change.
 */
import { defineNotifications } from '../notifications/types.js';
import { isDismissedBy, isVisibleTo } from './bulletins/readBulletins.js';

const membership = {
  event: 'membership_changed',
  who: 'The member',
  subject: 'membership',
  path: '/memberships/{subject}',
  action: null,
  needsAccess: false,
  facts: `SELECT jsonb_build_object('chapter', c.name, 'status', replace(m.status, '_', ' '), 'role', m.role)
      FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
     WHERE m.organization_id = n.organization_id AND m.id = n.subject_id AND m.user_id = n.recipient_id`,
  // A placeholder is left out: the person receives an invitation instead.
  recipients: `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
     WHERE m.organization_id = s.organization_id AND m.id = s.subject_id`,
  unknownMail: 'again',
} as const;

/**
 * SQL of the region or organization that the office administers, and of the role in it. The office may be deleted by
 * the time of reading.
 */
const OFFICE = `FROM organizations o
    LEFT JOIN organization_admins oa ON oa.organization_id = o.id AND oa.id = n.subject_id AND oa.user_id = n.recipient_id
    LEFT JOIN regional_admins ra ON ra.organization_id = o.id AND ra.id = n.subject_id AND ra.user_id = n.recipient_id
    LEFT JOIN regions r ON r.organization_id = o.id AND r.id = ra.region_id
   WHERE o.id = n.organization_id`;
const officeWhile = (condition: string): string => `
  SELECT jsonb_build_object('place', coalesce('the region ' || r.name, o.name),
           'role', ' as ' || replace(ra.role, '_', ' ')) ${OFFICE} AND ${condition}`;
const IS_ACTIVE_OFFICE = 'coalesce(oa.is_active, ra.is_active, false)';

const office = {
  event: 'membership_changed',
  who: 'The holder of the office',
  subject: 'office',
  path: '/',
  action: null,
  needsAccess: false,
  recipients: null,
  unknownMail: 'again',
} as const;

/** SQL of the chapter of request `r` in which the recipient is an officer; null if the recipient made the request. */
const OFFICE_UNLESS_OWN = 'CASE WHEN n.recipient_id IS DISTINCT FROM r.requested_by THEN r.chapter_id END';

/**
 * SQL of the people who decide member request `r` now: the admins of its region while there are any, otherwise those of
 * the organization.
 */
const DECIDES_MEMBER_ADD = `
  SELECT region.user_id FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by) region
   WHERE r.status = 'pending_regional'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_regional'
       AND NOT EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by)))`;

const memberAddWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', ${OFFICE_UNLESS_OWN}, 'chapter', c.name, 'person', r.first_name || ' ' || r.last_name,
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

/**
 * SQL of the people who decide status request `r` now: officers of the chapter while there is another one than the
 * requester, otherwise the organization's admins.
 */
const DECIDES_STATUS = `
  SELECT leader.user_id FROM app.other_chapter_leaders(r.organization_id, r.chapter_id, r.requested_by) leader
   WHERE r.status = 'pending_officer'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_officer'
       AND NOT EXISTS (SELECT FROM app.other_chapter_leaders(r.organization_id, r.chapter_id, r.requested_by)))`;

const statusChangeWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', ${OFFICE_UNLESS_OWN}, 'chapter', c.name, 'status', replace(r.to_status, '_', ' '),
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

/**
 * SQL of the people who decide transfer request `r` now: officers of the new chapter while there is another one than
 * the requester, otherwise the organization's admins.
 */
const DECIDES_TRANSFER = `
  SELECT leader.user_id FROM app.other_chapter_leaders(r.organization_id, r.to_chapter_id, r.requested_by) leader
   WHERE r.status = 'pending_destination'
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND (r.status = 'pending_organization' OR r.status = 'pending_destination'
       AND NOT EXISTS (SELECT FROM app.other_chapter_leaders(r.organization_id, r.to_chapter_id, r.requested_by)))`;

const transferWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id NOT IN (r.requested_by, m.user_id) THEN r.to_chapter_id END,
           'chapter', c.name, 'destination', d.name, 'person', u.first_name || ' ' || u.last_name,
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

/**
 * SQL of the people responsible for a chapter's offices: the admins of its region, or, if it has none, those of the
 * organization.
 */
const OVERSEES = (row: string): string => `
  SELECT a.user_id FROM chapters c
    JOIN regional_admins a ON a.organization_id = c.organization_id AND a.region_id = c.region_id AND a.is_active
   WHERE c.organization_id = ${row}.organization_id AND c.id = ${row}.chapter_id
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = ${row}.organization_id AND admin.is_active
     AND NOT EXISTS (SELECT FROM chapters c
       JOIN regional_admins a ON a.organization_id = c.organization_id AND a.region_id = c.region_id AND a.is_active
      WHERE c.organization_id = ${row}.organization_id AND c.id = ${row}.chapter_id)`;

/** SQL of the name of the member that a row refers to. */
const MEMBER_OF = (row: string, column = 'membership_id'): string => `
  (SELECT u.first_name || ' ' || u.last_name FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${row}.organization_id AND m.id = ${row}.${column})`;

const holderOf = (row: string): string =>
  `SELECT m.user_id FROM memberships m WHERE m.organization_id = ${row}.organization_id AND m.id = ${row}.membership_id`;

const termWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id NOT IN (${holderOf('t')}) THEN t.chapter_id END,
           'chapter', c.name, 'person', ${MEMBER_OF('t')}, 'ends_on', t.ends_on::text,
           'position', CASE WHEN t.position = 'other' THEN coalesce(t.title, 'officer') ELSE replace(t.position, '_', ' ') END)
    FROM officer_terms t JOIN chapters c ON c.organization_id = t.organization_id AND c.id = t.chapter_id
   WHERE t.organization_id = n.organization_id AND t.id = n.subject_id AND ${condition}`;

const term = {
  event: 'membership_changed',
  subject: 'officer_term',
  path: '/officer-terms/{subject}',
  action: null,
  needsAccess: true,
  unknownMail: 'again',
} as const;

const handOverWhile = (condition: string): string => `
  SELECT jsonb_build_object('office_of', ${OFFICE_UNLESS_OWN}, 'chapter', c.name, 'successor', ${MEMBER_OF('r', 'successor_id')},
           'requester', coalesce((SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = r.requested_by), ''),
           'position', CASE WHEN t.position = 'other' THEN coalesce(t.title, 'officer') ELSE replace(t.position, '_', ' ') END,
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM hand_over_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
    JOIN officer_terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
   WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND ${condition}`;

/**
 * SQL of the people who decide hand-over request `r`: those responsible for the chapter's offices, except the
 * requester.
 */
const DECIDES_HAND_OVER = `SELECT who.user_id FROM (${OVERSEES('r')}) who WHERE who.user_id <> r.requested_by
  UNION
  SELECT admin.user_id FROM organization_admins admin
   WHERE admin.organization_id = r.organization_id AND admin.is_active AND admin.user_id <> r.requested_by
     AND NOT EXISTS (SELECT FROM app.reviews_in_region(r.organization_id, r.chapter_id, r.requested_by))`;

const handOver = {
  subject: 'hand_over_request',
  path: '/hand-over-requests/{subject}',
  needsAccess: true,
  unknownMail: 'again',
} as const;

/**
 * Defines a notification about a scheduled item that was not applied. It goes to the person who scheduled it; if that
 * person has lost the right, also to the organization's admins.
 */
const notDone = (table: string, facts: string) =>
  ({
    event: 'request_decided',
    who: 'The person who scheduled it; also the admins of the organization if that person has lost the right',
    cause: 'not_done',
    action: null,
    needsAccess: true,
    unknownMail: 'again',
    recipients: `SELECT r.requested_by AS user_id FROM ${table} r
       WHERE r.organization_id = s.organization_id AND r.id = s.subject_id
      UNION SELECT admin.user_id FROM ${table} r
        JOIN organization_admins admin ON admin.organization_id = r.organization_id AND admin.is_active
       WHERE r.organization_id = s.organization_id AND r.id = s.subject_id AND r.refusal = 'forbidden'`,
    facts: `SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id <> r.requested_by THEN n.organization_id END,
           'person', ${MEMBER_OF('r')}, 'reason', replace(r.refusal, '_', ' ')) || ${facts}
      FROM ${table} r WHERE r.organization_id = n.organization_id AND r.id = n.subject_id
       AND r.state IN ('refused', 'failed')
       AND (n.recipient_id = r.requested_by OR r.refusal = 'forbidden' AND n.recipient_id IN (${ADMINS_OF('r')}))`,
  }) as const;

export const notifications = defineNotifications({
  account_requested: {
    event: 'approval_requested',
    who: 'The admins of the organization',
    subject: 'account_request',
    cause: 'requested',
    title: '{person} requests an account',
    body: '{person} requests an account and has verified the address.',
    path: '/account-requests/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'again',
    recipients: `SELECT who.user_id FROM account_requests r CROSS JOIN LATERAL (${ADMINS_OF('r')}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'person', r.first_name || ' ' || r.last_name) FROM account_requests r
      WHERE r.organization_id = n.organization_id AND r.id = n.subject_id AND r.status = 'pending'
        AND n.recipient_id IN (${ADMINS_OF('r')})`,
  },
  status_change_requested: {
    ...statusChange,
    event: 'approval_requested',
    who: 'The officers of the chapter, then the admins of the organization; never the requester',
    cause: 'requested',
    title: '{person} requests a change of status',
    body: '{person} of {chapter} requests the status: {status}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM status_change_requests r CROSS JOIN LATERAL (${DECIDES_STATUS}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: statusChangeWhile(`n.recipient_id IN (${DECIDES_STATUS})`),
  },
  status_change_decided: {
    ...statusChange,
    event: 'request_decided',
    who: 'The member who made the request',
    cause: 'decided',
    title: 'Your request for a change of status was {decision}',
    body: 'You requested in {chapter} the status: {status}. Your request was {decision}.{notes}',
    action: null,
    // The change may have ended the member's access.
    needsAccess: false,
    recipients: `SELECT r.requested_by AS user_id FROM status_change_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: statusChangeWhile(`r.requested_by = n.recipient_id AND r.status IN ('approved', 'rejected')`),
  },
  transfer_requested: {
    ...transfer,
    event: 'approval_requested',
    who: 'The officers of the new chapter, then the admins of the organization; never the requester',
    cause: 'requested',
    title: 'A transfer to {destination} needs your decision',
    body: 'Requested transfer: {person}, from {chapter} to {destination}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM transfer_requests r CROSS JOIN LATERAL (${DECIDES_TRANSFER}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: transferWhile(`n.recipient_id IN (${DECIDES_TRANSFER})`),
  },
  transfer_decided: {
    ...transfer,
    event: 'request_decided',
    who: 'The requester and the member',
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
    who: 'The admins of the region, then those of the organization; never the requester',
    cause: 'requested',
    title: 'A new member of {chapter} needs your decision',
    body: '{requester} requests to add {person} to {chapter}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM member_add_requests r CROSS JOIN LATERAL (${DECIDES_MEMBER_ADD}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: memberAddWhile(`n.recipient_id IN (${DECIDES_MEMBER_ADD})`),
  },
  member_add_decided: {
    ...memberAdd,
    event: 'request_decided',
    who: 'The officer who made the request',
    cause: 'decided',
    title: 'Your request to add {person} was {decision}',
    body: '{person} and {chapter}: your request was {decision}.{notes}',
    action: null,
    recipients: `SELECT r.requested_by AS user_id FROM member_add_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: memberAddWhile(`r.requested_by = n.recipient_id AND r.status IN ('approved', 'rejected')`),
  },
  hand_over_requested: {
    ...handOver,
    event: 'approval_requested',
    who: 'The admins of the region, or those of the organization if there are none; never the requester',
    cause: 'requested',
    title: 'Request to hand over an office of {chapter}',
    body: '{requester} requests that {successor} becomes {position} of {chapter}.',
    action: 'Decide',
    recipients: `SELECT who.user_id FROM hand_over_requests r CROSS JOIN LATERAL (${DECIDES_HAND_OVER}) who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: handOverWhile(`r.status = 'pending' AND n.recipient_id IN (${DECIDES_HAND_OVER})`),
  },
  hand_over_decided: {
    ...handOver,
    event: 'request_decided',
    who: 'The officer who made the request',
    cause: 'decided',
    title: 'Your request to hand over an office of {chapter} was {decision}',
    body: '{successor} as {position} of {chapter}: your request was {decision}.{notes}',
    action: null,
    // The hand-over may have ended the officer's access.
    needsAccess: false,
    recipients: `SELECT r.requested_by AS user_id FROM hand_over_requests r
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    facts: handOverWhile(`r.requested_by = n.recipient_id AND r.status IN ('approved', 'rejected')`),
  },
  term_ends_soon: {
    ...term,
    who: 'The holder of the office, 30 and 7 days before the planned end',
    cause: 'ends_soon',
    title: 'Your term as {position} of {chapter} ends on {ends_on}',
    body: 'Hand the office over to your successor. You hold it until then.',
    recipients: `SELECT who.user_id FROM officer_terms t CROSS JOIN LATERAL (${holderOf('t')}) who
      WHERE t.organization_id = s.organization_id AND t.id = s.subject_id`,
    facts: termWhile(`t.ended_on IS NULL AND t.ends_on IS NOT NULL AND n.recipient_id IN (${holderOf('t')})`),
  },
  term_held_over: {
    ...term,
    who: 'The holder of the office, and the admins of the region, or those of the organization if there are none; each week',
    cause: 'held_over',
    title: 'The term of the {position} of {chapter} is past its planned end, {ends_on}',
    body: '{person} holds the office until a successor begins or an admin ends the term.',
    recipients: `SELECT who.user_id FROM officer_terms t CROSS JOIN LATERAL (${holderOf('t')} UNION ${OVERSEES('t')}) who
      WHERE t.organization_id = s.organization_id AND t.id = s.subject_id`,
    facts: termWhile(
      `t.ended_on IS NULL AND t.ends_on < app.today() AND n.recipient_id IN (${holderOf('t')} UNION ${OVERSEES('t')})`,
    ),
  },
  office_vacant: {
    ...term,
    who: 'The admins of the region, or those of the organization if there are none',
    cause: 'vacant',
    title: '{chapter} has no {position}',
    body: 'The position is vacant. Appoint a member of the chapter.',
    recipients: `SELECT who.user_id FROM officer_terms t CROSS JOIN LATERAL (${OVERSEES('t')}) who
      WHERE t.organization_id = s.organization_id AND t.id = s.subject_id`,
    facts: termWhile(`n.recipient_id IN (${OVERSEES('t')}) AND NOT EXISTS (SELECT FROM officer_terms o
      WHERE o.organization_id = t.organization_id AND o.chapter_id = t.chapter_id AND o.position = t.position
        AND o.ended_on IS NULL)`),
  },
  scheduled_change_not_made: {
    ...notDone('membership_scheduled_changes', `jsonb_build_object('day', r.effective_on::text)`),
    subject: 'scheduled_change',
    path: '/scheduled-changes/{subject}',
    title: 'A scheduled change of the membership of {person} was not applied',
    body: 'Scheduled for {day}, not applied: {reason}.',
  },
  planned_term_not_begun: {
    ...notDone(
      'planned_terms',
      `jsonb_build_object('day', r.starts_on::text, 'position',
         CASE WHEN r.position = 'other' THEN coalesce(r.title, 'officer') ELSE replace(r.position, '_', ' ') END)`,
    ),
    subject: 'planned_term',
    path: '/planned-terms/{subject}',
    title: '{person} could not take office',
    body: 'Planned as {position} from {day}, not applied: {reason}.',
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
    title: 'You are now an administrator',
    body: 'You now administer {place}{role}.',
    facts: officeWhile(IS_ACTIVE_OFFICE),
    mailedAsAccountNotice: true,
  },
  office_changed: {
    ...office,
    cause: 'changed',
    title: 'Your office was changed',
    body: 'You now administer {place}{role}.',
    facts: officeWhile(IS_ACTIVE_OFFICE),
  },
  rollover_ended: {
    // It reports the outcome to the person who confirmed the rollover.
    event: 'request_decided',
    who: 'The person who confirmed the rollover; every administrator if it stopped because that person lost the right',
    subject: 'rollover',
    cause: 'ended',
    title: 'Rollover {year}: {status}',
    body: 'Moved: {moved} of {planned}.{returned}',
    path: '/rollovers/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'year', r.academic_year, 'status', CASE r.status
             WHEN 'stopped_right_lost' THEN 'stopped, because the person who confirmed it is no longer an administrator'
             WHEN 'revert_stopped_right_lost' THEN 'not fully reverted, because the person who requested it is no longer an administrator'
             ELSE r.status END, 'moved', r.members_moved,
           'planned', r.members_planned, 'returned', CASE WHEN r.status IN ('reverted', 'revert_stopped_right_lost')
             THEN ' Reverted: ' || r.members_returned || '; left unchanged: ' || r.members_kept || '.' ELSE '' END)
      FROM rollovers r WHERE r.organization_id = n.organization_id AND r.id = n.subject_id
       AND r.status NOT IN ('running', 'reverting')
       AND n.recipient_id IN (SELECT user_id FROM organization_admins
         WHERE organization_id = n.organization_id AND is_active)`,
    recipients: `SELECT who.user_id FROM rollovers r CROSS JOIN LATERAL (
        SELECT coalesce(r.reverted_by, r.started_by) AS user_id WHERE r.status NOT LIKE '%stopped_right_lost'
        UNION ALL SELECT a.user_id FROM app.active_admins(r.organization_id) a WHERE r.status LIKE '%stopped_right_lost') who
      WHERE r.organization_id = s.organization_id AND r.id = s.subject_id`,
    unknownMail: 'again',
  },
  bulletin_published: {
    event: 'bulletin_published',
    who: 'The people of the organization, region or chapter that it is for',
    subject: 'bulletin',
    cause: 'published',
    title: '{title}',
    body: '{place} has published a bulletin.',
    path: '/bulletins/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('title', bulletins.title, 'place', coalesce(c.name, r.name, o.name))
      FROM bulletins JOIN organizations o ON o.id = bulletins.organization_id
      LEFT JOIN chapters c ON c.organization_id = bulletins.organization_id AND c.id = bulletins.chapter_id
      LEFT JOIN regions r ON r.organization_id = bulletins.organization_id AND r.id = bulletins.region_id
     WHERE bulletins.organization_id = n.organization_id AND bulletins.id = n.subject_id
       AND ${isVisibleTo('n.recipient_id')} AND NOT ${isDismissedBy('n.recipient_id')}`,
    recipients: null,
    unknownMail: 'never',
  },
  bulletin_refused: {
    event: 'request_decided',
    who: 'The people who wrote and scheduled it, and the admins of the organization',
    subject: 'bulletin',
    cause: 'refused',
    title: 'A bulletin was not published: {title}',
    body: 'It was for {place}. The person who scheduled it may no longer publish it. Another person with the right has to publish it.',
    path: '/bulletins/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id NOT IN (b.author_id, coalesce(b.decided_by, b.author_id)) THEN n.organization_id END,
           'title', b.title, 'place', coalesce(c.name, r.name, o.name))
      FROM bulletins b JOIN organizations o ON o.id = b.organization_id
      LEFT JOIN chapters c ON c.organization_id = b.organization_id AND c.id = b.chapter_id
      LEFT JOIN regions r ON r.organization_id = b.organization_id AND r.id = b.region_id
     WHERE b.organization_id = n.organization_id AND b.id = n.subject_id AND b.refusal IS NOT NULL
       AND (n.recipient_id IN (b.author_id, b.decided_by) OR n.recipient_id IN (${ADMINS_OF('b')}))`,
    recipients: `SELECT who.user_id FROM bulletins b CROSS JOIN LATERAL (
        SELECT b.author_id AS user_id UNION SELECT b.decided_by WHERE b.decided_by IS NOT NULL
        UNION ${ADMINS_OF('b')}) who
      WHERE b.organization_id = s.organization_id AND b.id = s.subject_id`,
    unknownMail: 'again',
  },
  social_post_not_published: {
    // It reports the outcome to the person who published the post.
    event: 'request_decided',
    who: 'The author of the post; also the admins of the organization if the author is no longer one',
    subject: 'social_post',
    cause: 'ended',
    title: 'A post {became}',
    body: '{text}',
    path: '/social-posts/{subject}',
    action: null,
    needsAccess: true,
    facts: `SELECT jsonb_build_object('office_of', CASE WHEN n.recipient_id <> p.author_id THEN n.organization_id END,
           'became', CASE p.status WHEN 'failed' THEN 'was not published'
                ELSE 'may not have been published: please check' END, 'text', left(p.text, 200))
      FROM social_posts p WHERE p.organization_id = n.organization_id AND p.id = n.subject_id
       AND p.status IN ('failed', 'unknown')
       AND (p.author_id = n.recipient_id OR p.failure = 'not_an_admin' AND n.recipient_id IN (${ADMINS_OF('p')}))`,
    recipients: `SELECT p.author_id AS user_id FROM social_posts p
      WHERE p.organization_id = s.organization_id AND p.id = s.subject_id
      UNION SELECT admin.user_id FROM social_posts p
        JOIN organization_admins admin ON admin.organization_id = p.organization_id AND admin.is_active
      WHERE p.organization_id = s.organization_id AND p.id = s.subject_id AND p.failure = 'not_an_admin'`,
    unknownMail: 'again',
  },
  office_ended: {
    ...office,
    cause: 'ended',
    title: 'You are no longer an administrator',
    body: 'You no longer administer {place}.',
    facts: officeWhile(`NOT ${IS_ACTIVE_OFFICE}`),
  },
});
