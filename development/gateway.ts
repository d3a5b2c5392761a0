/** Runs the stand-ins of the payment gateways and of the professional network as one program. Development only. */
import path from 'node:path';
import { seededCardAccounts } from './seeding/cardAccount.js';
import { NETWORK_CLIENT } from './stack/network.js';
import { readSettings } from './stack/settings.js';
import { runStandin } from './standins/kit/program.js';
import { startStandin } from './standins/payments/server.js';
import { accountOf } from './standins/payments/state/identifiers.js';
import { startNetworkStandin } from './standins/socialnet/server.js';
import { startCheckoutStandin } from './standins/checkout/server.js';
import { startPaypalStandin } from './standins/paypal/server.js';
import { startSquareStandin } from './standins/square/server.js';

runStandin(async () => {
  const { ports, dataDir, cardSecrets } = readSettings(process.env);
  const standin = await startStandin({
    port: ports.gateway,
    controlPort: ports.gatewayControl,
    dataDir: path.join(dataDir, 'gateway'),
    webhook: {
      url: `http://127.0.0.1:${ports.api}/api/finances/webhooks/processor/`,
      secret: cardSecrets.webhookSecret,
      secrets: new Map(
        seededCardAccounts(cardSecrets).map(({ secretKey, webhookSecret }) => [accountOf(secretKey), webhookSecret]),
      ),
    },
    log: (line) => console.log(line),
  });
  // Every other card processor has its own stand-in with its own protocol, port and control port.
  const square = await startSquareStandin({
    port: ports.square,
    controlPort: ports.squareControl,
    dataDir: path.join(dataDir, 'gateway'),
    log: (line) => console.log(line),
  });
  const paypal = await startPaypalStandin({
    port: ports.paypal,
    controlPort: ports.paypalControl,
    dataDir: path.join(dataDir, 'gateway'),
    log: (line) => console.log(line),
  });
  const checkout = await startCheckoutStandin({
    port: ports.checkout,
    controlPort: ports.checkoutControl,
    dataDir: path.join(dataDir, 'gateway'),
    log: (line) => console.log(line),
  });
  const network = await startNetworkStandin({
    port: ports.socialnet,
    client: NETWORK_CLIENT,
    log: (line) => console.log(line),
  });
  const standins = [standin, square, paypal, checkout, network];
  return { close: () => Promise.all(standins.map((one) => one.close())) };
});
