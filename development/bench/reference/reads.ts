/** The reference for reads: queries written with Kysely for one tenant, without row level security. */
import { type Kysely, sql } from 'kysely';
import type { PageRequest } from '../../../models/database/page.js';
import type { Tables } from './tables.js';

type Db = Kysely<Tables>;

export const readOrganization = (db: Db, id: string) =>
  db
    .selectFrom('organizations')
    .select([
      'id',
      'name',
      'slug',
      'org_type',
      'is_active',
      'primary_color',
      'accepts_account_requests',
      'listed',
      'name_check_threshold',
      'officers_add_members',
      'timezone',
      'impersonation_notices',
      'version',
      'created_at',
      'updated_at',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Returns a page of the roster, sorted by name. */
export async function readRoster(db: Db, organization: string, chapter: string, { page, pageSize }: PageRequest) {
  const members = db
    .selectFrom('memberships as m')
    .where('m.organization_id', '=', organization)
    .where('m.chapter_id', '=', chapter);
  const [counted, results] = await Promise.all([
    members.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    members
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .leftJoin('invitations as i', (join) =>
        join
          .onRef('i.organization_id', '=', 'm.organization_id')
          .onRef('i.membership_id', '=', 'm.id')
          .on('u.placeholder_in', 'is not', null),
      )
      .select((eb) => [
        'm.id',
        'm.user_id as user',
        'm.chapter_id as chapter',
        'u.first_name',
        'u.last_name',
        eb.fn.coalesce('u.email', 'u.typed_email').as('email'),
        'u.phone_number',
        'm.role',
        'm.status',
        'm.joined_date',
        'm.graduation_year',
        'm.graduation_season',
        'm.pledge_class',
        'm.line_number',
        'm.crossing_semester',
        'm.crossing_date',
        'i.state',
        'i.mailed_at',
        'i.expires_at',
        'm.version',
        'm.created_at',
        'm.updated_at',
      ])
      .orderBy(sql`u.last_name || ' ' || u.first_name`)
      .orderBy('m.id')
      .limit(sql.lit(pageSize))
      .offset((page - 1) * pageSize)
      .execute(),
  ]);
  return {
    count: counted.count,
    results: results.map(({ state, mailed_at, expires_at, ...member }) => ({
      ...member,
      invitation: state && {
        state: state === 'open' && Number(expires_at) <= Date.now() ? 'expired' : state,
        mailed_at,
        expires_at,
      },
    })),
  };
}

/**
 * Returns a page of the overdue invoices, latest due date first. Selects the page's ids first (a deferred join),
 * because otherwise a late page would join all rows before it.
 */
export async function readOverdueInvoices(db: Db, organization: string, { page, pageSize }: PageRequest) {
  const overdue = db
    .selectFrom('chapter_invoices as i')
    .where('i.organization_id', '=', organization)
    .where('i.status', '=', 'overdue');
  const [counted, results] = await Promise.all([
    overdue.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    db
      .selectFrom(
        overdue
          .select('i.id')
          .orderBy('i.due_date', 'desc')
          .orderBy('i.id', 'desc')
          .limit(sql.lit(pageSize))
          .offset((page - 1) * pageSize)
          .as('chosen'),
      )
      .innerJoin('chapter_invoices as i', 'i.id', 'chosen.id')
      .innerJoin('organizations as o', 'o.id', 'i.organization_id')
      .innerJoin('chapters as c', 'c.id', 'i.chapter_id')
      .leftJoin('memberships as m', 'm.id', 'i.membership_id')
      .leftJoin('users as u', 'u.id', 'm.user_id')
      .select((eb) => [
        'i.id',
        'i.chapter_id as chapter',
        'i.payer_type',
        'i.membership_id as membership',
        sql<string>`coalesce(i.payer_name, u.first_name || ' ' || u.last_name, c.name)`.as('payer_name'),
        'i.term_id as term',
        'i.status',
        'i.description',
        'i.is_recurring',
        'i.currency',
        'i.issue_date',
        'i.due_date',
        sql<string>`coalesce(i.original_due_date, i.due_date)`.as('original_due_date'),
        sql<boolean>`i.balance_due_cents > 0 AND i.due_date < (now() AT TIME ZONE o.timezone)::date`.as('is_past_due'),
        'i.total_cents',
        'i.discount_cents',
        'i.credit_cents',
        'i.paid_cents',
        'i.overpaid_cents',
        'i.balance_due_cents',
        eb
          .exists(
            eb
              .selectFrom('chapter_remittance_allocations as a')
              .select('a.invoice_id')
              .whereRef('a.invoice_id', '=', 'i.id')
              .whereRef('a.organization_id', '=', 'i.organization_id')
              .where('a.reserved_by_attempt_id', 'is not', null),
          )
          .as('payment_in_progress'),
        'i.overdue_at',
        'i.paid_at',
        'i.voided_at',
        'i.created_at',
      ])
      .orderBy('i.due_date', 'desc')
      .orderBy('i.id', 'desc')
      .execute(),
  ]);
  return { count: counted.count, results };
}

/** Returns a page of a person's unread notifications, newest first. */
export async function readUnreadNotifications(
  db: Db,
  organization: string,
  recipient: string,
  { page, pageSize }: PageRequest,
) {
  const unread = db
    .selectFrom('notifications as n')
    .where('n.organization_id', '=', organization)
    .where('n.recipient_id', '=', recipient)
    .where('n.unlisted_reason', 'is', null)
    .where('n.read_at', 'is', null);
  const [counted, rows] = await Promise.all([
    unread.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    unread
      .leftJoin('users as u', 'u.id', 'n.actor_id')
      .select([
        'n.id',
        'n.notification_type',
        'n.event_type',
        'n.category',
        'n.title',
        'n.body',
        'n.target_url',
        'n.read_at',
        'n.requires_action',
        'n.action_label',
        'n.scheduled_for',
        'n.subject_type',
        'n.subject_id',
        'u.id as actor_id',
        'u.first_name',
        'u.last_name',
        'n.created_at',
      ])
      .orderBy('n.id', 'desc')
      .limit(sql.lit(pageSize))
      .offset((page - 1) * pageSize)
      .execute(),
  ]);
  const results = rows.map(({ subject_type, subject_id, actor_id, first_name, last_name, ...row }) => ({
    ...row,
    is_read: false,
    subject: { type: subject_type, id: subject_id },
    actor: actor_id === null ? null : { id: actor_id, first_name, last_name },
  }));
  return { count: counted.count, results };
}

/** Marks notifications as read. */
export async function markAsRead(db: Db, organization: string, recipient: string, ids: string[]) {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read_at: sql`now()` })
    .where('organization_id', '=', organization)
    .where('recipient_id', '=', recipient)
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .where('unlisted_reason', 'is', null)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  const remaining = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization)
    .where('recipient_id', '=', recipient)
    .where('unlisted_reason', 'is', null)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { updated: Number(numUpdatedRows), unread_count: remaining.count };
}
