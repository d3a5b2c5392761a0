/**
 * Prepares the database and the bundle that one test run copies: `prepare.ts <services file> <data folder>`. Prints the facts as
 * JSON on its last line. Simultaneous runs do this once, behind a lock in Postgres.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflows, digestOf, filesBelow, workflowsDigest } from '../../../bin/building/bundleWorkflows.js';
import { withClient } from '../../../development/stack/roles.js';
import { databaseUrl, type Facts, type Services } from './facts.js';
import { ensureTemplate, removeLeftovers } from './template.js';

const ROOT = path.resolve(__dirname, '../../..');
const PREPARATION_LOCK = 7_310_001;

async function workflowBundle(folder: string): Promise<string | undefined> {
  removeOldBundles(folder);
  const target = path.join(folder, `workflow-bundle-${workflowsDigest(ROOT)}.js`);
  if (existsSync(target)) return target;
  return (await bundleWorkflows(ROOT, target)) ? target : undefined;
}

function removeOldBundles(folder: string): void {
  if (!existsSync(folder)) return;
  const yesterday = Date.now() - 86_400_000;
  for (const name of readdirSync(folder).filter((one) => one.startsWith('workflow-bundle-'))) {
    const file = path.join(folder, name);
    if (statSync(file).mtimeMs < yesterday) rmSync(file, { force: true });
  }
}

/** Brings template and bundle up to date. */
async function prepare({ postgres, temporal }: Services, folder: string): Promise<Facts> {
  const superuser = databaseUrl(postgres.port, { name: 'postgres', password: postgres.password }, 'postgres');
  return withClient(superuser, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [PREPARATION_LOCK]);
    await removeLeftovers(client);
    const digest = digestOf(filesBelow(path.join(ROOT, 'models/database'), ['.ts', '.sql']));
    const template = await ensureTemplate(client, postgres.port, digest);
    const bundle = await workflowBundle(folder);
    return {
      postgresPort: postgres.port,
      superuserPassword: postgres.password,
      temporalAddress: temporal.address,
      template,
      ...(bundle ? { workflowBundle: bundle } : {}),
    };
  });
}

const [servicesFile, folder] = process.argv.slice(2);
if (!servicesFile || !folder) throw new Error('Usage: prepare <services file> <data folder>');
async function main(services: string, data: string): Promise<void> {
  const facts = await prepare(JSON.parse(readFileSync(services, 'utf8')) as Services, path.resolve(data));
  process.stdout.write(`\n${JSON.stringify(facts)}\n`, () => process.exit(0));
}

main(servicesFile, folder).catch((error: Error) => {
  console.error(error.stack);
  process.exit(1);
});
