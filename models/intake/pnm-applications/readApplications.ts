/** Reads applications for the people who decide on them. */
import { type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson } from '../../database/rows.js';
import { anyLike, containing } from '../../organizations/search.js';
import type { AttachmentKind } from '../pnm-config/vocabulary.js';
import type { SubmittedContents } from './contents.js';
import { PnmApplication } from './PnmApplication.js';

export type Application = ShownRow<typeof PnmApplication>;

export interface ApplicationList extends PageRequest {
  /** Only applications to this chapter. Default: all chapters. */
  chapter?: string | undefined;
  period: string | undefined;
  state: 'received' | 'withdrawn' | undefined;
  flagged: boolean | undefined;
  unverified: boolean | undefined;
  search: string | undefined;
}

/**
 * Lists applications, the newest first, in one statement. Applications without a version that counts are not listed.
 * @throws Refusal page_not_found
 */
export function listApplications({
  chapter,
  period,
  state,
  flagged,
  unverified,
  search,
  ...page
}: ApplicationList): Promise<Page<Application>> {
  const values: unknown[] = [];
  const where = [
    `pnm_applications.organization_id = (SELECT app.org_id()) AND pnm_applications.state <> 'unconfirmed'`,
  ];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add('pnm_applications.chapter_id = ?', chapter);
  add('pnm_applications.recruitment_period_id = ?', period);
  add('pnm_applications.state = ?', state);
  add('(pnm_applications.standing IS NOT NULL OR pnm_applications.below_minimum_gpa) = ?', flagged);
  add('(NOT pnm_applications.is_proven) = ?', unverified);
  add(
    `(${anyLike([`pnm_applications.first_name || ' ' || pnm_applications.last_name`], '?')} OR pnm_applications.email LIKE ?)`,
    search ? containing(search) : undefined,
  );
  return selectPage<Application>({
    from: 'pnm_applications pnm_applications',
    where: where.join(' AND '),
    values,
    orderBy: 'pnm_applications.id DESC',
    key: 'pnm_applications.id',
    select: shownSql(PnmApplication),
    ...page,
  });
}

interface Attachment {
  id: string;
  kind: AttachmentKind;
  name: string;
  media_type: string;
  size_bytes: number;
  created_at: string;
  /** True until the virus scan is done; the file cannot be downloaded before. */
  is_being_checked: boolean;
}

export interface ReadApplication extends Application {
  answers: SubmittedContents['answers'];
  consents: SubmittedContents['consents'];
  attachments: Attachment[];
  /** Kinds of infected attachments, which were deleted. */
  refused: AttachmentKind[];
  /** The current version, and earlier versions that counted. */
  versions: {
    submitted_at: string;
    confirmed_at: string | null;
    is_current: boolean;
    answers: SubmittedContents['answers'];
  }[];
}

/**
 * Reads the latest application of a prospective member with all its versions. Each version has the wording of the
 * questions at its time. Null if there is no application.
 */
export const readApplicationOf = (profileId: string): Promise<ReadApplication | null> =>
  firstJson<ReadApplication>(
    `SELECT ${shownSql(PnmApplication)}, v.contents -> 'answers' AS answers, v.contents -> 'consents' AS consents,
            (SELECT coalesce(json_agg(json_build_object('id', f.id, 'kind', f.kind, 'name', s.name, 'media_type', s.media_type,
                'size_bytes', s.size_bytes, 'created_at', f.created_at, 'is_being_checked', s.status = 'held') ORDER BY f.kind), '[]')
               FROM pnm_attachments f JOIN stored_files s ON s.organization_id = $1 AND s.id = f.file_id AND s.status IN ('held', 'kept')
              WHERE f.organization_id = $1 AND f.application_id = pnm_applications.id) AS attachments,
            ARRAY(SELECT f.kind FROM pnm_attachments f WHERE f.organization_id = $1 AND f.application_id = pnm_applications.id
               AND f.file_id IS NULL ORDER BY f.kind) AS refused,
            (SELECT json_agg(json_build_object('submitted_at', o.created_at, 'confirmed_at', o.confirmed_at,
                'is_current', o.state = 'current', 'answers', o.contents -> 'answers') ORDER BY o.id DESC)
               FROM pnm_application_versions o
              WHERE o.organization_id = $1 AND o.application_id = pnm_applications.id
                AND (o.state = 'current' OR o.confirmed_at IS NOT NULL)) AS versions
       FROM pnm_applications
       JOIN pnm_application_versions v ON v.organization_id = $1 AND v.application_id = pnm_applications.id AND v.state = 'current'
      WHERE pnm_applications.organization_id = $1 AND pnm_applications.profile_id = $2
      ORDER BY pnm_applications.id DESC LIMIT 1`,
    [currentOrganization(), profileId],
  );
