/** Checks texts by the moderation rules of the organization when they are written. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { forumErrors } from '../errors.js';
import { compileRules, type ModeratedText, type RuleMatcher, type RulePattern } from './compileRules.js';

interface ActiveRule extends RulePattern {
  action: 'flag' | 'block';
  message: string | null;
}

/** Compiled rules of organizations, the least recently compiled first, with the version of the rules. */
const compiledRules = new Map<string, { version: number; match: RuleMatcher<ActiveRule> }>();
const MAX_CACHED_ORGANIZATIONS = 200;

/**
 * Checks a text.
 * @returns the rules that flag it
 * @throws Refusal moderation_blocked, with the message of the first rule that blocks it
 */
export async function checkText(text: ModeratedText): Promise<RulePattern[]> {
  const match = await matcherOfOrganization();
  const matched = match?.(text) ?? [];
  const blocking = matched.find(({ action }) => action === 'block');
  if (blocking) throw forumErrors.moderation_blocked(blocking.message ?? undefined);
  return matched.map(({ kind, pattern }) => ({ kind, pattern }));
}

/** Returns null for an organization that never had rules. */
async function matcherOfOrganization(): Promise<RuleMatcher<ActiveRule> | null> {
  const organizationId = currentOrganization();
  // The version is read before the rules: rules that change meanwhile are read again by the next text.
  const settings = await firstRow<{ version: number }>(
    'SELECT rules_version AS version FROM forum_settings WHERE organization_id = $1 AND rules_version > 0',
    [organizationId],
  );
  if (settings === null) return null;
  const known = compiledRules.get(organizationId);
  if (known?.version === settings.version) return known.match;
  const match = compileRules(
    await rows<ActiveRule>(
      `SELECT kind, pattern, action, message FROM moderation_rules WHERE organization_id = $1 AND is_active ORDER BY id`,
      [organizationId],
    ),
  );
  compiledRules.delete(organizationId);
  compiledRules.set(organizationId, { version: settings.version, match });
  const [oldest] = compiledRules.keys();
  if (compiledRules.size > MAX_CACHED_ORGANIZATIONS && oldest !== undefined) compiledRules.delete(oldest);
  return match;
}
