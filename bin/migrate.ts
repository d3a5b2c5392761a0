/** migrate up | down [--all] | status: runs as the owner role, under a lock. */
import { config } from '../config.js';
import { migrateDown, migrateUp, migrationStatus } from '../models/database/migrate.js';
import { reportFailure } from './reportFailure.js';

async function main([command = 'up', option]: string[]): Promise<void> {
  const urls = [config.DATABASE_OWNER_URL, config.DATABASE_URL] as const;
  if (command === 'up') return report('applied', await migrateUp(...urls));
  if (command === 'down') return report('reverted', await migrateDown(...urls, option === '--all'));
  if (command !== 'status') throw new Error('Usage: migrate up | down [--all] | status');
  const { applied, pending } = await migrationStatus(...urls);
  report('applied', applied);
  report('pending', pending);
}

const report = (what: string, names: string[]): void => console.log(`${what}: ${names.join(', ') || 'none'}`);

main(process.argv.slice(2)).catch(reportFailure);
