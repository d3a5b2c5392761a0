/**
 * Runs the load balancer of several APIs as a program of its own. Arguments: its port, then the ports of the APIs.
 * Development only.
 */
import { startProxy } from './stack/cluster/proxy.js';
import { runStandin } from './standins/kit/program.js';

runStandin(() => {
  const [port, ...backends] = process.argv.slice(2).map(Number);
  return startProxy(
    backends.map((backend) => `http://127.0.0.1:${backend}`),
    port,
  );
});
