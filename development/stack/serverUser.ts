/**
 * Postgres refuses to run as root. Chooses the user that it runs as instead, and gives that user access to our folders.
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * Returns the account for servers if this process runs as root, and creates the account on first use. Returns undefined
 * if this process does not run as root.
 */
export function serverUser(name = 'postgres'): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp(name) ?? create(name);
}

function lookUp(name: string): ServerUser | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

function create(name: string): ServerUser {
  try {
    execFileSync('groupadd', ['--force', name], { stdio: 'ignore' });
    execFileSync('useradd', ['--gid', name, '--no-create-home', '--shell', '/usr/sbin/nologin', name], {
      stdio: 'ignore',
    });
  } catch {
    // Ignored: useradd also fails if another process has just created the user. The lookup below finds out.
  }
  const user = lookUp(name);
  if (user) return user;
  throw new Error(
    `Postgres does not run as root and the user '${name}' could not be created. ` +
      'Run this as an ordinary user, or set DATABASE_URL and DATABASE_OWNER_URL to a running Postgres.',
  );
}

/**
 * Reports whether every user may enter this folder and its parents. Root's home and private temporary folders are
 * closed to others.
 */
function isReachable(directory: string): boolean {
  const absolute = path.resolve(directory);
  const open = (statSync(absolute).mode & 0o001) !== 0;
  const parent = path.dirname(absolute);
  return open && (parent === absolute || isReachable(parent));
}

/**
 * Returns the command line that runs a program as the server user. If that user cannot enter the program's folders, the
 * program also gets the capability to bypass file permissions (Linux only). The permissions of the folders are not
 * changed, because they do not belong to this project.
 */
export function asServerUser(
  command: string,
  args: string[],
  user: ServerUser | undefined,
  folders: string[],
): { command: string; args: string[]; user?: ServerUser } {
  if (!user) return { command, args };
  if (folders.every(isReachable)) return { command, args, user };
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const keep = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return { command: 'setpriv', args: [...drop, ...keep, '--', command, ...args] };
}
