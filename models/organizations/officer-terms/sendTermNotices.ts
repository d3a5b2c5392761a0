/**
 * Sends notices about terms of office on the day on which they are due. A row records each notice in the transaction
 * that sends it, so that it is sent once.
 */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import type { OrganizationDay } from '../organizationsByDay.js';
import { REQUIRED_POSITIONS } from '../vocabulary.js';

const BATCH_SIZE = 500;

/**
 * SQL that selects the notices that are due: 30 and 7 days before the planned end of a term, then every week while the
 * term still runs after that end, and once for a required office that became vacant within the last 30 days. If several
 * notices about a term's end are due, only the newest is selected. `$1` is the organization, `$2` the offices that must
 * not be vacant.
 */
const DUE = `
  SELECT t.id AS term_id, CASE WHEN d.today > t.ends_on THEN 'held_over' ELSE 'ends_soon' END AS kind,
         CASE WHEN d.today > t.ends_on THEN t.ends_on + 1 + (d.today - t.ends_on - 1) / 7 * 7
              WHEN d.today >= t.ends_on - 7 THEN t.ends_on - 7 ELSE t.ends_on - 30 END AS due_on
    FROM (SELECT app.today() AS today) d
    JOIN officer_terms t ON t.organization_id = $1 AND t.ended_on IS NULL AND t.ends_on <= d.today + 30
  UNION ALL
  SELECT last.id, 'vacant', last.ended_on
    FROM (SELECT app.today() AS today) d
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (t.chapter_id, t.position) t.* FROM officer_terms t
       WHERE t.organization_id = $1 AND t.ended_on BETWEEN d.today - 30 AND d.today AND t.position = ANY ($2)
       ORDER BY t.chapter_id, t.position, t.ended_on DESC, t.id DESC) last
    JOIN chapters c ON c.organization_id = $1 AND c.id = last.chapter_id AND c.status = 'active'
   WHERE NOT EXISTS (SELECT FROM officer_terms t
     WHERE t.organization_id = $1 AND t.chapter_id = last.chapter_id AND t.position = last.position AND t.ended_on IS NULL)`;

const NOT_SENT = `(${DUE}) due WHERE NOT EXISTS (SELECT FROM officer_term_notices n
  WHERE n.organization_id = $1 AND n.term_id = due.term_id AND n.kind = due.kind AND n.due_on = due.due_on)`;

const sqlValues = () => [currentOrganization(), [...REQUIRED_POSITIONS]];

/** Reports whether a notice is due. */
export const hasNotices = async (): Promise<boolean> =>
  (await firstRow(`SELECT FROM ${NOT_SENT} LIMIT 1`, sqlValues())) !== null;

const TYPES = {
  ends_soon: notifications.term_ends_soon,
  held_over: notifications.term_held_over,
  vacant: notifications.office_vacant,
} as const;
type Kind = keyof typeof TYPES;

/** Sends a batch of due notices, each once. @returns whether there were any */
export const sendTermNotices = ({ organizationId }: OrganizationDay): Promise<boolean> =>
  inTenant(organizationId, async () => {
    const claimed = await rows<{ term_id: string; kind: Kind; due_on: string }>(
      `INSERT INTO officer_term_notices (organization_id, term_id, kind, due_on)
       SELECT $1, due.term_id, due.kind, due.due_on FROM ${NOT_SENT} ORDER BY due.term_id LIMIT ${BATCH_SIZE}
       ON CONFLICT DO NOTHING RETURNING term_id, kind, due_on::text`,
      sqlValues(),
    );
    const groups = new Map<string, { kind: Kind; terms: string[] }>();
    for (const { term_id, kind, due_on } of claimed) {
      const cause = `${kind}:${due_on}`;
      const { terms } = groups.get(cause) ?? { terms: [] };
      groups.set(cause, { kind, terms: [...terms, term_id] });
    }
    for (const [cause, { kind, terms }] of groups) await notify(TYPES[kind], terms, { cause });
    return claimed.length > 0;
  });
