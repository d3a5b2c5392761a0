import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { currentOrganization, rows } from '../../database/rows.js';
import { truncate } from '../../truncate.js';
import type { TextColumn } from '../attachments/readAttachments.js';
import { compileRules, type RulePattern } from './compileRules.js';

/** Number of texts, the newest ones, with which a rule is compared. */
export const PREVIEWED_TEXTS = 2_000;
/** Maximum number of characters in these texts, which bounds the time that a preview of long texts takes. */
const MAX_PREVIEWED_CHARACTERS = 4_000_000;
const BATCH_SIZE = 200;
export const MAX_EXAMPLES = 10;
const EXAMPLE_LENGTH = 200;

interface StoredText {
  id: string;
  forum: string;
  post: string;
  comment: string | null;
  title: string | null;
  body: string;
  html: string;
  fileNames: string[];
}

export interface RulePreview {
  matches: number;
  /** The newest texts that match, at most 10. */
  examples: { forum: string; post: string; comment: string | null; title: string | null; excerpt: string }[];
  preview_hash: string;
}

/** Finds the newest texts of the organization that a rule matches. Changes nothing. */
export async function previewRule({ kind, pattern }: RulePattern): Promise<RulePreview> {
  const match = compileRules([{ kind, pattern }]);
  const found: StoredText[] = [];
  let last: StoredText | undefined;
  let characters = 0;
  for (let read = 0; read < PREVIEWED_TEXTS; read += BATCH_SIZE) {
    const batch = await readTexts(last);
    for (const text of batch) {
      characters += text.body.length;
      if (match({ ...text, title: text.title ?? undefined }).length > 0) found.push(text);
      // Other requests are served between two texts, because a long one takes milliseconds.
      await setImmediate();
    }
    last = batch.at(-1);
    if (batch.length < BATCH_SIZE || characters > MAX_PREVIEWED_CHARACTERS) break;
  }
  return {
    matches: found.length,
    examples: found.slice(0, MAX_EXAMPLES).map(({ forum, post, comment, title, body }) => {
      return { forum, post, comment, title, excerpt: truncate(body, EXAMPLE_LENGTH) };
    }),
    preview_hash: createHash('sha256')
      .update(JSON.stringify([kind, pattern, found.map(({ id }) => id)]))
      .digest('hex'),
  };
}

/** SQL: the names of the files of a text. */
const fileNamesOf = (column: TextColumn, table: string): string => `ARRAY(SELECT a.file_name FROM forum_attachments a
    WHERE a.organization_id = $1 AND a.${column} = ${table}.id) AS "fileNames"`;

/** Reads the next texts, the newest first, that were written before `last`. */
const readTexts = (last: StoredText | undefined): Promise<StoredText[]> =>
  rows<StoredText>(
    `SELECT * FROM (
       (SELECT id, forum_id AS forum, id AS post, NULL::uuid AS comment, title, body, body_html AS html, ${fileNamesOf('post_id', 'forum_posts')}
          FROM forum_posts WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT ${BATCH_SIZE})
       UNION ALL
       (SELECT id, forum_id, post_id, id, NULL, body, body_html, ${fileNamesOf('comment_id', 'forum_comments')}
          FROM forum_comments WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT ${BATCH_SIZE})) texts
      ORDER BY id DESC LIMIT ${BATCH_SIZE}`,
    [currentOrganization(), last?.id ?? null],
  );
