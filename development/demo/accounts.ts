/** Members who cross get an account at the office suite of their organization: configured, tried, made, and a password once. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OFFICE, SUITE } from '../standins/accounts/credentials.js';
import { DemoClient, DemoFailed, made, type Page } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

const PATIENCE_S = 60;

/** Of the played workspace suite. @returns whether there is one to have accounts made at */
export async function configureAccounts(facts: DemoFacts, admin: DemoClient, organization: string): Promise<boolean> {
  screen.chapter('6. The organization’s office suite is connected');
  if (!facts.accounts) {
    screen.note('no office suite is played here');
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
  const tried = await made(admin.post(`${path}test/`, {}));
  screen.note(`one group too many: the test fails at ${String(tried['failed_step'])}, ${String(tried['answer'])}`);
  await admin.put(path, { ...where, groups });
  await made(admin.post(`${path}test/`, {}));
  screen.done(`With ${groups.length} groups all of it goes well. The key is kept, and shown to nobody.`);
  return true;
}

/** Tells the accounts of those who crossed, once they are all there. */
export async function showAccounts(admin: DemoClient, organization: string, crossed: number): Promise<void> {
  screen.chapter('8. Their accounts are made');
  const path = `/api/organizations/${organization}/provisioning-records/?page_size=${crossed}`;
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
    const { results } = await admin.get<Page>(path);
    if (results.length === crossed && results.every(({ status }) => status === 'active')) {
      for (const { address } of results) screen.done(String(address));
      screen.note('of one name each has an address of their own: run it again, and they have numbers');
      return;
    }
    await sleep(1000);
  }
  throw new DemoFailed(`Not all accounts were made after ${PATIENCE_S} s.`);
}

/** @param member who has crossed, and signed in just now */
export async function takePassword(member: DemoClient): Promise<void> {
  const path = '/api/me/provisioned-account/password/';
  const { address } = await made(member.post(path, {}));
  const again = await member.post(path, {});
  screen.done(
    `The owner of ${String(address)} is given a first password, once: ${again.status} ${String(again.body['code'])}`,
  );
}
