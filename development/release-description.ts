/** release-description: stores the description of the API of this version, with which later versions are compared. */
import { readFileSync } from 'node:fs';
import { reportFailure } from '../bin/reportFailure.js';
import { writeRelease } from './releases/releases.js';

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  // The build has written it, with the same environment on every machine.
  console.log(`${writeRelease(version, readFileSync('dist/openapi.json'))} is written. Commit it with the release.`);
}

main().catch(reportFailure);
