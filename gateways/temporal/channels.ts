/** One channel to a cluster of several addresses: calls go to one of them, and to the next when it is gone. */
import * as grpc from '@grpc/grpc-js';

type Options = grpc.ChannelOptions;

/** The argument that makes a client use such a channel. @param addresses each `host:port`, with the certificate of its own host */
export function channelTo(addresses: readonly string[]): Options {
  return {
    channelFactoryOverride: (_address: string, credentials: grpc.ChannelCredentials, options: Options) =>
      new Channels(addresses.map((address) => new grpc.Channel(address, credentials, options))),
  };
}

/**
 * A call that finds nobody fails with UNAVAILABLE, as ever; made again, it goes elsewhere. An address that came back is
 * taken up when the one in use is gone.
 */
class Channels implements grpc.ChannelInterface {
  private chosen = 0;

  constructor(private readonly channels: readonly grpc.ChannelInterface[]) {}

  private get current(): grpc.ChannelInterface {
    const order = this.channels.map((_, n) => (this.chosen + n) % this.channels.length);
    // One that was never tried, or whose connection has ended in peace, is as good as one that is connected.
    this.chosen = order.find((n) => !isBroken(this.channels[n] as grpc.ChannelInterface)) ?? (order[1] as number);
    return this.channels[this.chosen] as grpc.ChannelInterface;
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
