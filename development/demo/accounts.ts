/**
 * Accounts at the office suite: configures and tests the suite. Prospects who become members (who cross) get an
 * account, and a password that is shown once.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OFFICE, SUITE } from '../standins/accounts/credentials.js';
import { DemoClient, DemoFailed, expectStatus, type Page } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

const TIMEOUT_S = 60;

/** Configures the stand-in of the workspace suite. @returns whether there is a suite that can create accounts */
export async function configureAccounts(facts: DemoFacts, admin: DemoClient, organization: string): Promise<boolean> {
  screen.chapter('6. The organization’s office suite is connected');
  if (!facts.accounts) {
    screen.note('skipped: no office suite stand-in runs here');
    return false;
  }
  const path = `/api/organizations/${organization}/provisioning-config/`;
  const { workspace } = JSON.parse(readFileSync(facts.accounts.credentials_file, 'utf8')) as { workspace: object };
  const { domain, groups, units } = SUITE;
  const where = {
    provider: 'workspace_suite',
    domain,
    address_template: '{first}.{last}',
    unit: units[0],
    on_leave: 'suspend',
  };
  await admin.put(path, { ...where, groups: [...groups, `nobody@${OFFICE.domain}`], credentials: workspace });
  const tried = await expectStatus(admin.post(`${path}test/`, {}));
  screen.note(`one group too many: the test fails at ${String(tried['failed_step'])}, ${String(tried['answer'])}`);
  await admin.put(path, { ...where, groups });
  await expectStatus(admin.post(`${path}test/`, {}));
  screen.done(`With ${groups.length} groups the test passes. The key is stored and never shown again.`);
  return true;
}

/**
 * Prints the accounts of the new members, once all of them exist.
 * @param crossed number of prospects who became members
 */
export async function showAccounts(admin: DemoClient, organization: string, crossed: number): Promise<void> {
  screen.chapter('8. Their accounts are created');
  const path = `/api/organizations/${organization}/provisioning-records/?page_size=${crossed}`;
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const { results } = await admin.get<Page>(path);
    if (results.length === crossed && results.every(({ status }) => status === 'active')) {
      for (const { address } of results) screen.done(String(address));
      screen.note('run the demo again: members with the same name get a number in their address');
      return;
    }
    await sleep(1000);
  }
  throw new DemoFailed(`Not all accounts existed after ${TIMEOUT_S} s.`);
}

/**
 * Takes the password of the member's account, which is shown only once.
 * @param member a person who has crossed and is signed in
 */
export async function takePassword(member: DemoClient): Promise<void> {
  const path = '/api/me/provisioned-account/password/';
  const { address } = await expectStatus(member.post(path, {}));
  const again = await member.post(path, {});
  screen.done(
    `The owner of ${String(address)} can read a first password only once; the second request: ${again.status} ${String(again.body['code'])}`,
  );
}
