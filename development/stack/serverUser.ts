/** Postgres refuses to run as root: who it runs as then, and how that user reaches our folders. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

export interface ServerUser {
  uid: number;
  gid: number;
}

/** The account that servers run as when we are root, created on first use; undefined for everybody else. */
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
    // The look-up below decides; useradd also fails when somebody else was faster.
  }
  const user = lookUp(name);
  if (user) return user;
  throw new Error(
    `Postgres does not run as root and the user '${name}' could not be created. ` +
      'Run this as an ordinary user, or set DATABASE_URL and DATABASE_OWNER_URL to a running Postgres.',
  );
}

/** Whether everybody may walk down to this folder; a home of root or a private temporary folder is closed to others. */
function isReachable(directory: string): boolean {
  const absolute = path.resolve(directory);
  const open = (statSync(absolute).mode & 0o001) !== 0;
  const parent = path.dirname(absolute);
  return open && (parent === absolute || isReachable(parent));
}

/**
 * The command line that runs a program as the server user. Where that user could not even enter the folders,
 * the program keeps the one capability to do so (Linux only), since opening other people's folders is not ours to do.
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
