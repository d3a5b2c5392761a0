/** The `@paypal/paypal-server-sdk` client of one account. */
import { Agent } from 'node:https';
import net from 'node:net';
import {
  ApiError,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
} from '@paypal/paypal-server-sdk';
import { config } from '../../../config.js';
import type { Credentials } from '../port.js';
import { accessToken, forgetToken, LIVE, paypalAddress, SANDBOX } from './account.js';

export interface PaypalLibrary {
  orders: OrdersController;
  payments: PaymentsController;
  search: TransactionSearchController;
}

/**
 * Connects to the stand-in for PayPal in development. The agent is needed because the library knows only PayPal's two
 * fixed addresses.
 */
class RedirectingAgent extends Agent {
  constructor(private readonly target: URL) {
    super({ keepAlive: false });
  }
  override createConnection(): net.Socket {
    return net.connect({ host: this.target.hostname, port: Number(this.target.port || 80) });
  }
}

const agentOf = (address: string): { httpsAgent?: Agent } =>
  address === LIVE || address === SANDBOX ? {} : { httpsAgent: new RedirectingAgent(new URL(address)) };

/**
 * Creates the client without retries, which would hide an unknown outcome, and without redirects, which would send the
 * token to another address.
 */
function libraryOf(credentials: Credentials): PaypalLibrary {
  const address = paypalAddress();
  const client = new Client({
    environment: address === LIVE ? Environment.Production : Environment.Sandbox,
    httpClientOptions: {
      timeout: config.STRIPE_TIMEOUT_SECONDS * 1000,
      retryConfig: { maxNumberOfRetries: 0, retryOnTimeout: false, httpMethodsToRetry: [], httpStatusCodesToRetry: [] },
      ...agentOf(address),
    },
    unstable_httpClientOptions: { maxRedirects: 0, proxy: false },
    clientCredentialsAuthCredentials: {
      oAuthClientId: credentials['client_id'] ?? '',
      oAuthClientSecret: credentials.secret_key,
      oAuthTokenProvider: async () => ({ accessToken: (await accessToken(credentials)).token, tokenType: 'Bearer' }),
    },
  });
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    search: new TransactionSearchController(client),
  };
}

/**
 * Returns a function that runs a request with the cached token. If the token is refused, the request was not carried
 * out, so the function repeats it with a new token.
 */
export function paypalLibrary(credentials: Credentials) {
  let library: PaypalLibrary | undefined;
  return async <T>(request: (library: PaypalLibrary) => Promise<{ result: T }>): Promise<T> => {
    try {
      return (await request((library ??= libraryOf(credentials)))).result;
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== 401) throw error;
      forgetToken(credentials);
      library = libraryOf(credentials);
      return (await request(library)).result;
    }
  };
}

export type RunRequest = ReturnType<typeof paypalLibrary>;
