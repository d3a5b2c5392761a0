/** The fast tier starts no processes: a test that starts one gets an error with the folder for such tests. */
import childProcess from 'node:child_process';

/** Allowed in every tier: uploads are read and decoded by a process of their own. */
const ALLOWED = /gateways[\\/](tables[\\/]reading|images)[\\/]program\.js$/;

const SYNCHRONOUS = ['spawnSync', 'execSync', 'execFileSync'] as const;

const refuse = (): never => {
  throw new Error('Tests of the fast tier start no process: what needs one belongs in test/scenarios.');
};

/** @returns a function that allows them again */
export function refuseProcesses(): () => void {
  // All ways of starting a process in the background use this function.
  const { prototype } = childProcess.ChildProcess as unknown as {
    prototype: { spawn: (this: object, options: { args?: readonly string[] }) => unknown };
  };
  const { spawn } = prototype;
  const synchronous = SYNCHRONOUS.map((name) => childProcess[name]);
  prototype.spawn = function (options) {
    return options.args?.some((arg) => ALLOWED.test(arg)) ? spawn.call(this, options) : refuse();
  };
  for (const name of SYNCHRONOUS) Object.assign(childProcess, { [name]: refuse });
  return () => {
    prototype.spawn = spawn;
    for (const [n, name] of SYNCHRONOUS.entries()) Object.assign(childProcess, { [name]: synchronous[n] });
  };
}
