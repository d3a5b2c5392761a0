/** Creates, changes and deletes moderation rules. */
import {
  createRow,
  type Edit,
  editRow,
  lockForEdit,
  type NewRow,
  removeRow,
  requireVersion,
} from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { forumErrors } from '../errors.js';
import { lockForumSettings } from '../forum-settings/updateForumSettings.js';
import type { RulePattern } from './compileRules.js';
import { ModerationRule } from './ModerationRule.js';
import { problemOfPattern } from './patterns.js';
import { previewRule } from './previewRule.js';

const MAX_RULES = 500;

/** Requires that a pattern is valid for the kind of its rule. @throws Refusal validation_error */
export function requirePattern({ kind, pattern }: RulePattern): void {
  const problem = problemOfPattern(kind, pattern);
  if (problem !== null) throw invalid('pattern', problem);
}

/**
 * Requires the hash of a current preview for an active rule that blocks texts.
 * @throws Refusal validation_error, preview_stale
 */
async function requirePreview(
  rule: RulePattern & { action: string; is_active: boolean },
  previewHash: string | undefined,
): Promise<void> {
  if (rule.action !== 'block' || !rule.is_active) return;
  if (previewHash === undefined)
    throw invalid('preview_hash', 'An active rule that blocks texts needs the preview_hash of its preview.');
  if ((await previewRule(rule)).preview_hash !== previewHash) throw refuse.preview_stale();
}

/** Makes all processes compile the rules again. Rules change one after the other, because the settings are locked. */
async function changeVersion(): Promise<void> {
  await lockForumSettings();
  await rows('UPDATE forum_settings SET rules_version = rules_version + 1 WHERE organization_id = $1', [
    currentOrganization(),
  ]);
}

/**
 * Creates a rule.
 * @returns its id
 * @throws Refusal validation_error, preview_stale, too_many_rules
 */
export async function createRule(
  fields: NewRow<(typeof ModerationRule)['definition']['columns']> & { is_active: boolean },
  previewHash: string | undefined,
): Promise<string> {
  requirePattern(fields);
  await requirePreview(fields, previewHash);
  await changeVersion();
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int AS count FROM moderation_rules WHERE organization_id = $1',
    [currentOrganization()],
  );
  if (count >= MAX_RULES) throw forumErrors.too_many_rules();
  return (await createRow(ModerationRule, fields)).id;
}

/** Changes a rule. @throws Refusal not_found, stale_version, validation_error, preview_stale */
export async function editRule(
  id: string,
  { version, ...edit }: Edit<ModerationRule>,
  previewHash: string | undefined,
): Promise<void> {
  const rule = await lockForEdit(ModerationRule, id);
  requireVersion(rule, version);
  const { kind = rule.kind, pattern = rule.pattern, action = rule.action, is_active = rule.is_active } = edit;
  requirePattern({ kind, pattern });
  await requirePreview({ kind, pattern, action, is_active }, previewHash);
  const changed = await editRow(rule, edit);
  if (changed.length > 0) await changeVersion();
}

/** Deletes a rule. @throws Refusal not_found */
export async function removeRule(id: string): Promise<void> {
  await removeRow(ModerationRule, id);
  await changeVersion();
}
