/** Shell variables for the examples of docs/api: ids of the demo's first organization, and access tokens of its people. */
import { DemoClient, DemoFailed } from './client.js';
import type { DemoFacts, DemoPerson } from './facts.js';

/** Prints `export` lines for `eval`. @throws DemoFailed when a person cannot sign in */
export async function printVariables({ base_url, organizations }: DemoFacts): Promise<boolean> {
  const [organization] = organizations;
  if (organization === undefined) throw new DemoFailed('The demo has no organization.');
  const { id, slug, chapter_ids, foundation, users } = organization;
  const tokenOf = async (person: DemoPerson | undefined, tenant?: string): Promise<string> =>
    person === undefined ? '' : ((await DemoClient.signIn(base_url, person, tenant)).token ?? '');
  const variables = {
    API: base_url,
    ORG: id,
    CHAPTER: users.officer.chapter_id ?? chapter_ids[0] ?? '',
    MEMBERSHIP: users.member.membership_id ?? '',
    ADMIN: await tokenOf(users.admin, slug),
    OFFICER: await tokenOf(users.officer, slug),
    MEMBER: await tokenOf(users.member, slug),
    FOUNDATION: foundation?.id ?? '',
    CAMPAIGN_SLUG: foundation?.campaign_slug ?? '',
    FOUNDATION_ADMIN: await tokenOf(users.foundation_admin, slug),
    FOUNDATION_EDITOR: await tokenOf(users.foundation_editor, slug),
    PLATFORM: await tokenOf(users.platform_admin),
  };
  for (const [name, value] of Object.entries(variables)) process.stdout.write(`export ${name}='${value}'\n`);
  return true;
}
