/** Finds pgbouncer: the installed one if it is new enough, else Debian's package unpacked into the per-user cache. */
import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DebianPackage, findInstalled, run, unpackedPackage } from './debianPackage.js';

/** The first version that supports prepared statements in transaction mode. */
const MIN_VERSION = [1, 21] as const;

/**
 * Debian's pgbouncer package together with the C library of the same Debian release. Thus pgbouncer also runs on
 * machines with another release.
 */
const PACKAGE: DebianPackage = {
  name: 'pgbouncer-trixie',
  program: path.join('usr', 'sbin', 'pgbouncer'),
  release: 'trixie',
  async wanted(options) {
    const packages = new Set(['pgbouncer']);
    for (const name of packages) {
      const { stdout } = await run('apt-cache', [...options, 'depends', '--no-suggests', '--no-enhances', name]);
      for (const [, library] of stdout.matchAll(/^ *\|?Depends: (lib[^\s<]+|zlib1g)$/gm))
        packages.add(library as string);
    }
    return [...packages];
  },
};

/**
 * Finds pgbouncer, or unpacks it without changing the system.
 * @returns the command
 * @throws Error that says how to install it by hand
 */
export async function findPgbouncer(say: (line: string) => void): Promise<string> {
  const installed = findInstalled(['pgbouncer'], ['/usr/sbin', '/usr/local/sbin']);
  if (installed && (await isNewEnough(installed))) return installed;
  try {
    const { command, root, libraries = '' } = await unpackedPackage(PACKAGE, say);
    const wrapper = path.join(root, 'pgbouncer');
    await writeFile(
      wrapper,
      `#!/bin/sh\nexec "${await loaderIn(root)}" --library-path "${libraries}" "${command}" "$@"\n`,
    );
    await chmod(wrapper, 0o755);
    return wrapper;
  } catch (error) {
    throw new Error(
      [
        `pgbouncer ${MIN_VERSION.join('.')} or newer was not found, and getting Debian's package failed: ${(error as Error).message.trim()}`,
        'Install it so that it is on the PATH: apt-get install pgbouncer, dnf install pgbouncer, brew install pgbouncer.',
      ].join('\n'),
      { cause: error },
    );
  }
}

async function isNewEnough(command: string): Promise<boolean> {
  const { stdout } = await run(command, ['--version']);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1]);
}

/** Returns the path of the dynamic loader in the unpacked C library. */
async function loaderIn(root: string): Promise<string> {
  const folders = ['lib64', 'lib'].map((name) => path.join(root, 'usr', name));
  for (const folder of folders) {
    const name = (await readdir(folder).catch(() => [])).find((file) => file.startsWith('ld-linux'));
    if (name) return path.join(folder, name);
  }
  throw new Error('The package has no loader.');
}
