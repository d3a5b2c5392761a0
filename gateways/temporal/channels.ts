/** A gRPC channel to a cluster with several addresses: calls use one address, and the next one when it fails. */
import * as grpc from '@grpc/grpc-js';

type Options = grpc.ChannelOptions;

/**
 * Returns the options with which Temporal's client uses a FailoverChannel between the given addresses.
 * @param addresses each `host:port`; each host has its own certificate
 */
export function channelTo(addresses: readonly string[]): Options {
  return {
    channelFactoryOverride: (_address: string, credentials: grpc.ChannelCredentials, options: Options) =>
      new FailoverChannel(addresses.map((address) => new grpc.Channel(address, credentials, options))),
  };
}

/**
 * A channel that uses one address until that address fails, and then the next one. A call to an unreachable address
 * fails with UNAVAILABLE as usual; a retry uses another address. An address that recovered is used again when the
 * present one fails.
 */
class FailoverChannel implements grpc.ChannelInterface {
  private currentIndex = 0;

  constructor(private readonly channels: readonly grpc.ChannelInterface[]) {}

  private get current(): grpc.ChannelInterface {
    const order = this.channels.map((_, n) => (this.currentIndex + n) % this.channels.length);
    // Chooses the next channel that is not broken. A channel that was never used or is idle counts as working.
    this.currentIndex = order.find((n) => !isBroken(this.channels[n] as grpc.ChannelInterface)) ?? (order[1] as number);
    return this.channels[this.currentIndex] as grpc.ChannelInterface;
  }

  close(): void {
    for (const channel of this.channels) channel.close();
  }

  getTarget(): string {
    return this.current.getTarget();
  }

  getConnectivityState(tryToConnect: boolean): grpc.connectivityState {
    return this.current.getConnectivityState(tryToConnect);
  }

  watchConnectivityState(...watch: Parameters<grpc.ChannelInterface['watchConnectivityState']>): void {
    this.current.watchConnectivityState(...watch);
  }

  getChannelzRef(): ReturnType<grpc.ChannelInterface['getChannelzRef']> {
    return this.current.getChannelzRef();
  }

  createCall(
    ...call: Parameters<grpc.ChannelInterface['createCall']>
  ): ReturnType<grpc.ChannelInterface['createCall']> {
    return this.current.createCall(...call);
  }
}

const isBroken = (channel: grpc.ChannelInterface): boolean =>
  channel.getConnectivityState(false) === grpc.connectivityState.TRANSIENT_FAILURE;
