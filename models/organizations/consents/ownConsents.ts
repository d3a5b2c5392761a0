/** Reads the consents of one person: those of the current organization, and how many are due in other organizations. */
import { currentOrganization, firstJson, rows } from '../../database/rows.js';
import type { CONSENT_METHODS } from '../vocabulary.js';

export interface OwnConsent {
  template: string;
  title: string;
  method: (typeof CONSENT_METHODS)[number];
  version: number;
  text_hash: string;
  published_at: string;
  is_asked: boolean;
  is_due: boolean;
  given: { version: number; text_hash: string; typed_name: string | null; given_at: string } | null;
  withdrawn_at: string | null;
}

export interface OwnConsentText extends OwnConsent {
  body_html: string | null;
  body_text: string | null;
}

const OWN = `t.id AS template, v.title, v.method, v.number AS version, v.text_hash, v.published_at,
  asked.template_id IS NOT NULL AS is_asked, coalesce(asked.is_due, false) AS is_due,
  CASE last.kind WHEN 'given' THEN json_build_object('version', last.version, 'text_hash', last.text_hash, 'typed_name',
    (SELECT w.typed_name FROM consent_record_values w WHERE w.organization_id = t.organization_id AND w.record_id = last.id),
    'given_at', last.created_at) END AS given,
  CASE last.kind WHEN 'withdrawn' THEN last.created_at END AS withdrawn_at`;

/**
 * SQL for the consents of person $2 in organization $1. Includes a consent that was given but is no longer asked for,
 * because it can still be withdrawn.
 */
const FROM_OWN = `FROM consent_templates t
  JOIN consent_versions v ON v.organization_id = t.organization_id AND v.template_id = t.id AND v.number = t.published_version
  LEFT JOIN app.consents_asked($1, $2) asked ON asked.template_id = t.id
  LEFT JOIN LATERAL (SELECT r.* FROM consent_records r
     WHERE r.organization_id = t.organization_id AND r.template_id = t.id AND r.user_id = $2
     ORDER BY r.ordinal DESC LIMIT 1) last ON true
 WHERE t.organization_id = $1 AND (asked.template_id IS NOT NULL OR last.id IS NOT NULL)`;

/** Lists the person's consents, due ones first, in one statement. */
export async function listOwnConsents(userId: string): Promise<OwnConsent[]> {
  const results = await rows<{ row: OwnConsent }>(
    `SELECT to_json(own) AS row FROM (SELECT ${OWN} ${FROM_OWN}) own ORDER BY own.is_due DESC, own.published_at, own.template`,
    [currentOrganization(), userId],
  );
  return results.map(({ row }) => row);
}

/**
 * Returns a consent with the current text of its template; null if the person is neither asked for it nor has ever
 * answered it.
 */
export const readOwnConsent = (userId: string, templateId: string): Promise<OwnConsentText | null> =>
  firstJson<OwnConsentText>(`SELECT ${OWN}, v.body_html, v.body_text ${FROM_OWN} AND t.id = $3`, [
    currentOrganization(),
    userId,
    templateId,
  ]);

export interface DueElsewhere {
  organization: { id: string; name: string; slug: string };
  due: number;
}

/**
 * Lists the organizations other than the current one in which this person still has to answer requests for consent,
 * ordered by name.
 */
export const listDueElsewhere = (userId: string): Promise<DueElsewhere[]> =>
  rows<DueElsewhere>(
    `SELECT json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS organization, w.due
       FROM app.consents_due_elsewhere($1, $2) w JOIN organizations o ON o.id = w.organization_id ORDER BY o.name, o.id`,
    [userId, currentOrganization()],
  );
