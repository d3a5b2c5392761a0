/** Reads the attachments of posts and comments. */
import { currentOrganization, firstJson, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type LocatedFile, locateReadableFiles } from '../../organizations/files/storedFiles.js';
import { IS_SHOWN } from '../textColumns.js';
import type { TextIds } from '../textIds.js';
import type { ATTACHMENT_KINDS, ATTACHMENT_STATUSES } from '../vocabulary.js';

export interface AttachmentJson {
  id: string;
  kind: (typeof ATTACHMENT_KINDS)[number];
  file_name: string;
  size_bytes: number;
  status: (typeof ATTACHMENT_STATUSES)[number];
  /** Null as it is read from the database: only the answer to a GET of one text has URLs. */
  url: string | null;
  url_expires_at: string | null;
}

/** Column of `forum_attachments` that refers to the text. */
export type TextColumn = 'post_id' | 'comment_id';

const COLUMNS = `f.id, f.kind, f.file_name, f.size_bytes,
  CASE WHEN f.file_id IS NULL THEN 'refused' WHEN s.status = 'held' THEN 'processing' ELSE 'ready' END AS status,
  NULL AS url, NULL AS url_expires_at`;
const FILES = `forum_attachments f
  LEFT JOIN stored_files s ON s.organization_id = f.organization_id AND s.id = f.file_id`;

/** SQL: the attachments of text `t`, in its order. */
export const attachmentsOf = (column: TextColumn): string =>
  `coalesce((SELECT json_agg(to_json(a)) FROM (
     SELECT ${COLUMNS} FROM ${FILES}
      WHERE f.organization_id = t.organization_id AND f.${column} = t.id AND ${IS_SHOWN} ORDER BY f.position) a), '[]') AS attachments`;

/** Returns the column that refers to a text. */
export const columnOf = ({ comment_id }: Pick<TextIds, 'comment_id'>): TextColumn =>
  comment_id === null ? 'post_id' : 'comment_id';

/** Reads the names of the files with the ids. */
export const readFileNames = async (ids: readonly string[]): Promise<string[]> =>
  ids.length === 0 ? [] : selectFileNames('id = ANY ($2)', ids);

/** Reads the names of the files of a text. */
export const readFileNamesOf = (text: TextIds): Promise<string[]> => selectFileNames(`${columnOf(text)} = $2`, text.id);

async function selectFileNames(where: string, value: unknown): Promise<string[]> {
  const found = await rows<{ file_name: string }>(
    `SELECT file_name FROM forum_attachments WHERE organization_id = $1 AND ${where}`,
    [currentOrganization(), value],
  );
  return found.map(({ file_name }) => file_name);
}

/** Reads an attachment. @throws Refusal not_found */
export const readAttachment = async (id: string): Promise<AttachmentJson> =>
  requireFound(
    await firstJson<AttachmentJson>(`SELECT ${COLUMNS} FROM ${FILES} WHERE f.organization_id = $1 AND f.id = $2`, [
      currentOrganization(),
      id,
    ]),
  );

/** Returns the files of those attachments that can be read, by the ids of the attachments. */
export async function locateAttachments(attachments: readonly AttachmentJson[]): Promise<Map<string, LocatedFile>> {
  const ready = attachments.filter(({ status }) => status === 'ready').map(({ id }) => id);
  if (ready.length === 0) return new Map();
  const found = await rows<{ id: string; file_id: string }>(
    'SELECT id, file_id FROM forum_attachments WHERE organization_id = $1 AND id = ANY ($2) AND file_id IS NOT NULL',
    [currentOrganization(), ready],
  );
  const files = new Map(
    (await locateReadableFiles(found.map(({ file_id }) => file_id))).map((file) => [file.id, file]),
  );
  return new Map(
    found.flatMap(({ id, file_id }) => {
      const file = files.get(file_id);
      return file ? [[id, file]] : [];
    }),
  );
}
