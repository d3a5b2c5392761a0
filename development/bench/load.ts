/** The load generator, a process of its own: receives a `Load` as a message and answers with what it `Measured`. */
import http from 'node:http';
import autocannon from 'autocannon';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { exitWithSupervisor, reportReady } from '../../bin/serving/exitWithSupervisor.js';
import { forEachConcurrently } from './forEachConcurrently.js';
import { chargePeriod, preparePledgeCharges } from './charging.js';
import { receiptSender, receiptsOf } from './drawing.js';
import { type Call, CALLS_IN_SHORT_ROUND, type Load, type Measured } from './protocol.js';
import { recoverPledges } from './recovering.js';
import { refreshing } from './refreshing.js';
import { deliver, sendBare } from './sending.js';

type LoadOf<Kind> = Extract<Load, { kind: Kind }>;

/** Runs autocannon and records every latency. Connections and people are distributed evenly over the servers. */
async function repeat({ bases, people, connections, seconds }: Omit<LoadOf<'repeat'>, 'kind'>): Promise<Measured> {
  const all = Array.from({ length: connections }, (_, n) => startingAt(n, people[n % people.length] as Call[]));
  const results = await Promise.all(
    bases.map((base, at) =>
      repeatAt(
        base,
        all.filter((_, n) => n % bases.length === at),
        seconds,
      ),
    ),
  );
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies: results.flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** Rotates the calls by n: otherwise all people would request the same page at the same time. */
const startingAt = (n: number, calls: Call[]): Call[] => {
  const first = n % calls.length;
  return [...calls.slice(first), ...calls.slice(0, first)];
};

/**
 * Repeats calls at one server for the given time.
 * @param each the calls of each connection, made in turn
 */
async function repeatAt(base: string, each: Call[][], seconds: number): Promise<Measured> {
  const latencies: number[] = [];
  let next = 0;
  const options: autocannon.Options = {
    url: base,
    connections: each.length,
    // A round of less than a second may end before any answer arrives, so its number of calls is fixed instead of its
    // duration.
    ...(seconds < 1 ? { amount: CALLS_IN_SHORT_ROUND * each.length, sampleInt: 100 } : { duration: seconds }),
    setupClient: (client) => client.setRequests(each[next++ % each.length] as autocannon.Request[]),
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error: unknown, found) => (error ? reject(error) : resolve(found)));
    running.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  return measured(latencies, result.duration, result.non2xx + result.errors);
}

/**
 * Repeats calls while a burst of other calls runs, and measures only the repeated calls. Some calls of the burst may be
 * refused, but some must succeed.
 */
async function besideBurst({ burst, ...load }: LoadOf<'beside'>): Promise<Measured> {
  const agent = new http.Agent({ keepAlive: true });
  const over = new AbortController();
  let done = 0;
  const again = async (call: Call): Promise<void> => {
    while (!over.signal.aborted) if (await send(agent, load.base, call)) done += 1;
  };
  const bursting = Promise.all(burst.map(again));
  const found = await repeat({ ...load, bases: [load.base] }).finally(() => over.abort());
  await bursting;
  agent.destroy();
  if (done === 0) throw new Error('No call of the burst succeeded.');
  return found;
}

/** Runs `work` for each item with limited concurrency. @param work resolves with whether it succeeded */
async function each<Item>(
  items: Item[],
  concurrency: number,
  work: (item: Item) => Promise<boolean>,
): Promise<Measured> {
  const latencies: number[] = [];
  let failures = 0;
  const started = performance.now();
  await forEachConcurrently(items, concurrency, async (item) => {
    const begun = performance.now();
    if (!(await work(item).catch(() => false))) failures += 1;
    latencies.push(performance.now() - begun);
  });
  return measured(latencies, (performance.now() - started) / 1000, failures);
}

const measured = (latencies: number[], seconds: number, failures: number): Measured => ({
  perSecond: latencies.length / seconds,
  latencies: latencies.sort((a, b) => a - b),
  failures,
});

async function once({ base, calls, connections }: LoadOf<'once'>): Promise<Measured> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  try {
    return await each(calls, connections, (call) => send(agent, base, call));
  } finally {
    agent.destroy();
  }
}

function send(agent: http.Agent, base: string, { method, path, headers, body }: Call): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = http.request(base + path, { agent, method, headers }, (response) => {
      response.resume().once('end', () => resolve(wentWell(response)));
    });
    request.once('error', reject).end(body);
  });
}

/**
 * Reports whether an answer is a success. Sign-in through an identity provider ends with a redirect; a redirect whose
 * address has no `code` parameter counts as failed.
 */
function wentWell({ statusCode = 0, headers: { location = '' } }: http.IncomingMessage): boolean {
  return Math.floor(statusCode / 100) === 2 || (statusCode === 302 && /[?&]code=/.test(location));
}

function workflows({ workflow, taskQueue, count, connections }: LoadOf<'workflow'>): Promise<Measured> {
  const ids = Array.from({ length: count }, () => `bench/${crypto.randomUUID()}`);
  return each(ids, connections, async (workflowId) => {
    await temporal().workflow.execute(workflow, { taskQueue, workflowId, args: [] });
    return true;
  });
}

async function charge({ ownerUrl, count, connections }: LoadOf<'charge'>): Promise<Measured> {
  return each(await preparePledgeCharges(ownerUrl, count), connections, chargePeriod);
}

async function draw({ ownerUrl, runId, connections }: LoadOf<'draw'>): Promise<Measured> {
  const receipts = await receiptsOf(ownerUrl, runId);
  const { send: mail, close } = receiptSender(connections);
  try {
    return await each(receipts, connections, mail);
  } finally {
    close();
  }
}

const recover = ({ sleeping, connections }: LoadOf<'recover'>): Promise<Measured> =>
  each([sleeping], connections, async () => {
    await recoverPledges(sleeping);
    return true;
  });

const run = (load: Load): Promise<Measured> => {
  switch (load.kind) {
    case 'repeat':
      return repeat(load);
    case 'beside':
      return besideBurst(load);
    case 'once':
      return once(load);
    case 'refresh':
      return refreshing(load);
    case 'deliver':
      return deliver(load);
    case 'send':
      return sendBare(load);
    case 'charge':
      return charge(load);
    case 'draw':
      return draw(load);
    case 'recover':
      return recover(load);
    default:
      return workflows(load);
  }
};

exitWithSupervisor();
process.on('message', (load: Load) => {
  run(load).then(
    (found) => process.send?.({ found }),
    (error: Error) => process.send?.({ problem: error.message }),
  );
});
// Keeps the process running between rounds until SIGTERM.
process.channel?.ref();
process.once('SIGTERM', () => void closeTemporal().finally(() => process.exit(0)));
reportReady();
