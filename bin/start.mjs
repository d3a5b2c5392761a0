/** `npm start` on a fresh clone: installs and builds what is missing, then becomes the supervisor. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, ROOT, run } from './install.mjs';

if (process.env.NODE_ENV === 'production') {
  console.error(
    'npm start is for development only: its servers and secrets are public. See docs/operating/deployment.md.',
  );
  process.exit(1);
}
process.chdir(ROOT);
await ensureInstalled();
if ((await run(process.execPath, [path.join(ROOT, 'bin/build.mjs')])) !== 0) process.exit(1);
try {
  // Import the supervisor into this process, so that signals reach it.
  await import(pathToFileURL(path.join(ROOT, 'dist/development/start.js')).href);
} catch (error) {
  console.error(error.message.startsWith('The environment is not usable') ? error.message : error);
  process.exit(1);
}
