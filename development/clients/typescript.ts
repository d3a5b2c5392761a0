import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type CheckClient, run, SOURCES } from './tools.js';

/** Prepares the check of the TypeScript client: packs it as for a release, and installs the tarball in a new folder. */
export async function typescriptClient(folder: string): Promise<CheckClient> {
  installPackage(folder);
  return async (_description, facts) => {
    run(process.execPath, [COMPILERS['5.9'], '-p', folder]);
    console.log(run(process.execPath, ['pay.js'], { cwd: folder, env: facts }).trim());
  };
}

/** The compilers that users of the package may have. */
export const COMPILERS = {
  '5.9': path.resolve('client/node_modules/typescript/bin/tsc'),
  '7': path.resolve('node_modules/typescript/bin/tsc'),
};

/** Makes a folder with the programs of test/clients/typescript, in which the package is installed from its tarball. */
export function installPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder]);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string;
  cpSync(path.join(SOURCES, 'typescript'), folder, { recursive: true });
  run('npm', ['install', '--ignore-scripts', '--prefer-offline', `./${tarball}`], { cwd: folder });
}
