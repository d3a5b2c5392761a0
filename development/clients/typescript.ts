import { cpSync } from 'node:fs';
import path from 'node:path';
import { type CheckClient, run, SOURCES } from './tools.js';

/**
 * Prepares the check of the TypeScript client. openapi-typescript needs the older compiler that is written in
 * JavaScript. The project itself uses another compiler, so the client installs its own packages.
 */
export async function typescriptClient(folder: string): Promise<CheckClient> {
  cpSync(path.join(SOURCES, 'typescript'), folder, { recursive: true });
  const own = (name: string, ...args: string[]) =>
    run(path.join(folder, 'node_modules', '.bin', name), args, { cwd: folder });
  run('npm', ['ci', '--ignore-scripts'], { cwd: folder });
  return async (description, facts) => {
    own('openapi-typescript', description, '-o', 'api.d.ts');
    own('tsc');
    console.log(run(process.execPath, ['pay.js'], { cwd: folder, env: facts }).trim());
  };
}
