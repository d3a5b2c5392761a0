/** Where pgbouncer comes from: what is installed, else Debian's package unpacked into the per-user cache. */
import path from 'node:path';
import { type DebianPackage, findInstalled, run, type Unpacked, unpackedPackage } from './debianPackage.js';

export type Pgbouncer = Pick<Unpacked, 'command' | 'libraries'>;

const PACKAGE: DebianPackage = {
  name: 'pgbouncer',
  program: path.join('usr', 'sbin', 'pgbouncer'),
  async wanted(options) {
    const { stdout } = await run('apt-cache', [...options, 'depends', '--no-suggests', '--no-enhances', 'pgbouncer']);
    const libraries = [...stdout.matchAll(/^ *\|?Depends: (lib[^\s<]+)$/gm)].map(([, name]) => name as string);
    return ['pgbouncer', ...(await missing(libraries))];
  },
};

/**
 * Finds pgbouncer, or gets it without touching the system.
 * @throws Error that tells how to install it by hand
 */
export async function findPgbouncer(say: (line: string) => void): Promise<Pgbouncer> {
  const installed = findInstalled(['pgbouncer'], ['/usr/sbin', '/usr/local/sbin']);
  if (installed) return { command: installed };
  try {
    return await unpackedPackage(PACKAGE, say);
  } catch (error) {
    throw new Error(
      [
        `pgbouncer was not found, and getting Debian's package failed: ${(error as Error).message.trim()}`,
        'Install it so that it is on the PATH: apt-get install pgbouncer, dnf install pgbouncer, brew install pgbouncer.',
      ].join('\n'),
      { cause: error },
    );
  }
}

async function missing(packages: string[]): Promise<string[]> {
  const states = await Promise.all(
    packages.map((name) =>
      run('dpkg-query', ['-W', '-f', '${Status}', name]).then(
        ({ stdout }) => stdout.includes('install ok installed'),
        () => false,
      ),
    ),
  );
  return packages.filter((_, index) => !states[index]);
}
