/** The rules for a catalog that isolates its tenants; every deviation is one line. */
import type { Client } from 'pg';
import { PLATFORM_TABLES } from '../../models/database/platformTables.js';
import { OWNER, RUNTIME } from '../support/environment/facts';

interface Found {
  problem: string;
}

/** Functions with SECURITY DEFINER, each with the reason. */
const DEFINER_FUNCTIONS: Record<string, string> = {
  webhook_processor: 'A webhook names a processor before it proves a tenant; it answers with sealed secrets only.',
  standing_of_code:
    'A code is shown before a tenant is known; only its digest finds anything, and what it finds is for whoever has it.',
  foundation_of:
    'A public page names a foundation before a tenant is known; it answers with the id of the tenant only.',
  overdue_pledges:
    'Operators look at processes of all organizations; it answers with those of the given ids that are overdue.',
  list_overdue_pledges: 'The same, of all pledges: the check of stuck processes compares all organizations.',
  pledge_of: 'A mailed link names a pledge before a tenant is known; it answers with the id of the tenant only.',
  donation_of: 'A donor names a gift before a tenant is known; it answers with the id of the tenant only.',
  receipt_of_code:
    'The code of a receipt is shown before a tenant is known; it answers with number, date, amount and status, without names.',
  add_donation_entry:
    'Status and totals of gifts are derived from entries, and no role may write them. It is a trigger.',
  invitation_of_token: 'The token of a mail is shown before a tenant is known; only its digest finds anything.',
  invitations_to: 'A person reads what every organization asks of addresses that are proven theirs.',
  follow_plans:
    'Due dates follow what was paid; called by the triggers below alone, with invoices that have just changed.',
  plans_after_change: 'A trigger: the invoices are those that the statement has changed.',
  plan_changed: 'A trigger: the plans are those that the statement has changed.',
  add_dispute_movement:
    'The sums of a dispute and what disputes hold of a charge, which nobody else may write; of the rows that the new movement names.',
  move_to_replacement:
    'Money goes along to dues that were issued anew, in the one tenant of the transaction, and nowhere else.',
  belongs_elsewhere: 'An admin sets no password for somebody who is somebody elsewhere; it answers yes or no.',
  organizations_of:
    'Whoever erases a person goes where something of theirs is, and nowhere else; it answers with ids only.',
  administered_alone:
    'Whoever goes may be the last admin of several organizations; it answers with those that everybody may look up.',
  files_leaving_stores: 'The same, of each store; it answers with ids only.',
  copies_leaving_stores: 'What files have left behind in stores of all organizations; it answers with ids only.',
  note_letter_mail:
    'Whoever mails knows no tenant; the letter is the one whose mail the notice is. It is a trigger, called by no one.',
  forget_removed_copies: 'The sweep forgets what stores of all organizations have forgotten; it answers nothing.',
  forget_left_stores: 'The sweep forgets stores of all organizations that were left and are empty; it answers nothing.',
  forget_removed_files:
    'The sweep forgets files of all organizations that the store has forgotten; it answers with nothing.',
  has_any_invoice: 'A ledger check that saw no rows must not pass; it answers with yes or no.',
  organizations_without_admin: 'Platform admins see which organizations nobody administers; it answers with ids only.',
  keep_people_apart:
    'What the log says of people is written beside it: nobody else may. It is a trigger, called by no one.',
  recompute_after_change:
    'Amounts of invoices are derived: nobody else may write them. It is a trigger, called by no one.',
  due_deliveries:
    'The five-minute job finds what is due in all organizations; it answers with their ids and channels only.',
  digest_organizations: 'The schedule of digests finds who wants one in all organizations; it answers with ids only.',
  organization_of_mail:
    'A report about a mail names the mail alone, at an address that we signed; it answers with an id.',
  standing_sockets:
    'Connections of people of all organizations are looked at together; it answers with ids and numbers of each, to whoever knows its session.',
  release_held:
    'A night is a night in each organization of a person: what it holds there is decided anew, by the tenant itself.',
  keep_roster_name: 'Rosters say how people are called: nobody else may write them. It is a trigger, called by no one.',
  begin_roster_names: 'As keep_roster_name, for those that a statement adds.',
  keep_member_handle: 'Only a trigger of affiliations adds handles. It is called by no one.',
  rename_in_rosters: 'A person is in rosters of several organizations. It is a trigger, called by no one.',
  welcome_members: 'A profile and what is to be done come with a membership, and are nobody’s to make.',
  hand_over_profile: 'A profile is nobody’s to give away: it follows the membership that was accepted.',
  note_published_consent: 'What is asked is nobody’s to write but this trigger’s, which follows what was published.',
  consents_due_elsewhere:
    'A person reads how much each of their organizations waits for; it answers with ids and counts.',
  write_membership_period: 'History is nobody’s to write but this trigger’s, which follows the membership.',
  forget_reasons:
    'History is nobody’s to change, and reasons go with their person: of the tenant alone, it forgets them, and answers with a count.',
  begin_membership_periods: 'As write_membership_period, for those that a statement adds.',
  push_verdicts: 'A gateway that knows no phone any more is one for all organizations; it answers with counts only.',
  push_health: 'Platform admins see whether pushes go out; it answers with counts only.',
  prune_push_records: 'Records go when they are old, whose ever they are; it answers with a count only.',
  prune_notifications: 'So does what people were told.',
  forget_unproven_applications:
    'So do applications that nobody went on with; it answers only whether there may be more.',
  remove_expired_donor_access:
    'Links and sessions of donors expire in all organizations; it answers only whether there may be more.',
  erase_deleted_forum_texts: 'Deleted texts expire in all organizations; it answers only whether there may be more.',
  search_forum_texts:
    'Under row level security no index serves a text search; of the tenant and the forums of a person alone, it answers with ids and times.',
  forget_import: 'So does what somebody uploaded and came to nothing; it answers only whether there was one.',
  pending_intents: 'Recovery goes by the rows of all organizations, and by those of people; it answers with ids only.',
};

const TENANT = '(organization_id = ( SELECT app.org_id() AS org_id))';

/** Foreign keys across tenants, each with the reason. */
const GLOBAL_KEYS: Readonly<Record<string, string>> = {
  webhook_secrets_of_one:
    'A webhook secret is one organization’s alone; all that is learned is that a secret somebody has is in use.',
  tax_receipts_code_unique:
    'A code of 128 random bits is looked up before a tenant is known; a collision is not to be expected.',
  notification_settings_one_sender:
    'An address of the platform’s own domains speaks for one organization; that it is in use stands in every mail from it.',
};

/** Tables of tenants: every table that is not on the platform list. */
const ISOLATED = `SELECT c.* FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relname = ANY($1)`;

const CHECKS: Record<string, string> = {
  'row level security': `SELECT relname || ' does not force row level security' AS problem FROM (${ISOLATED}) c
    WHERE NOT (relrowsecurity AND relforcerowsecurity)`,

  'tenant column': `SELECT relname || ' has no organization_id uuid NOT NULL' AS problem FROM (${ISOLATED}) c
    WHERE NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id'
      AND a.attnotnull AND a.atttypid = 'uuid'::regtype)`,

  'tenant policy': `SELECT relname || ' has no tenant policy for reading and writing' AS problem FROM (${ISOLATED}) c
    WHERE NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname
      AND p.policyname = 'tenant' AND p.cmd = 'ALL' AND p.roles = ARRAY['${RUNTIME.name}']::name[]
      AND p.qual = '${TENANT}' AND p.with_check = '${TENANT}')`,

  'owner policy': `SELECT relname || ' has no policy for the owner' AS problem FROM (${ISOLATED}) c
    WHERE NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname
      AND p.policyname = 'owner_sees_all' AND p.cmd = 'ALL' AND p.roles = ARRAY['${OWNER.name}']::name[])`,

  'no other policy': `SELECT p.tablename || ' has a policy too many: ' || p.policyname AS problem
    FROM pg_policies p JOIN (${ISOLATED}) c ON c.relname = p.tablename
    WHERE p.policyname NOT IN ('tenant', 'owner_sees_all')`,

  'composite keys': `SELECT c.relname || '.' || f.conname || ' leaves the tenant out' AS problem
    FROM pg_constraint f JOIN (${ISOLATED}) c ON c.oid = f.conrelid JOIN (${ISOLATED}) p ON p.oid = f.confrelid
    WHERE f.contype = 'f' AND NOT EXISTS (
      SELECT 1 FROM unnest(f.conkey, f.confkey) AS pair(own, theirs)
        JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = pair.own
        JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = pair.theirs
       WHERE a.attname = 'organization_id' AND b.attname = 'organization_id')`,

  'keys of the tenant': `SELECT c.relname || ': the key ' || i.indexrelid::regclass || ' spans tenants' AS problem
    FROM pg_index i JOIN (${ISOLATED}) c ON c.oid = i.indrelid
    WHERE i.indisunique AND i.indexrelid::regclass::text <> ALL (ARRAY[${Object.keys(GLOBAL_KEYS)
      .map((key) => `'${key}'`)
      .join(',')}])
      AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid
        AND a.attname = 'organization_id' AND a.attnum = ANY(i.indkey::int2[]))
      AND NOT (i.indisprimary AND (SELECT array_agg(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid
        AND a.attnum = ANY(i.indkey::int2[])) = ARRAY['id']::name[])`,

  'index of the tenant': `SELECT relname || ' has no index that begins with the tenant' AS problem FROM (${ISOLATED}) c
    WHERE NOT EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indrelid = c.oid AND i.indpred IS NULL AND a.attname = 'organization_id')`,

  'platform list': `SELECT name || ' is on the platform list and is not there' AS problem FROM unnest($1::text[]) name
    WHERE to_regclass('public.' || name) IS NULL`,

  views: `SELECT relname || ' is a view with the eyes of its owner' AS problem FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND $1::text[] IS NOT NULL
      AND NOT coalesce(reloptions @> ARRAY['security_invoker=true'], false)`,

  'other relations': `SELECT relname || ' cannot be isolated' AS problem FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('m', 'f') AND $1::text[] IS NOT NULL`,

  'other schemas': `SELECT c.oid::regclass || ' hides in another schema' AS problem FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND $1::text[] IS NOT NULL
      AND n.nspname NOT IN ('public', 'pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'`,

  'definer functions': `SELECT proname || ' runs as its owner' AS problem FROM pg_proc f
    WHERE pronamespace IN ('public'::regnamespace, 'app'::regnamespace) AND prosecdef AND $1::text[] IS NOT NULL
      AND NOT (proname = ANY(ARRAY['${Object.keys(DEFINER_FUNCTIONS).join("','")}'])
        AND coalesce(array_to_string(proconfig, ' ') LIKE '%search_path=%', false)
        AND NOT has_function_privilege('public', f.oid, 'EXECUTE'))`,

  'runtime role': `SELECT '${RUNTIME.name} may ' || privilege || ' ' || c.relname AS problem FROM (${ISOLATED}) c,
      unnest(ARRAY['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) AS privilege
    WHERE has_table_privilege('${RUNTIME.name}', c.oid, privilege)`,
};

/** @returns one line per problem, sorted; none when every table is isolated or on the platform list */
export async function isolationProblems(client: Pick<Client, 'query'>): Promise<string[]> {
  const problems: string[] = [];
  for (const check of Object.values(CHECKS)) {
    const { rows } = await client.query<Found>(check, [Object.keys(PLATFORM_TABLES)]);
    problems.push(...rows.map(({ problem }) => problem));
  }
  return problems.sort();
}
