/** A client of the run's own Temporal server. */
import { Client, Connection } from '@temporalio/client';
import { channelTo } from '../../gateways/temporal/channels.js';
import { SCHEDULES } from '../../workflows/schedules.js';

export interface ProcessSeen {
  workflowId: string;
  type: string;
  status: string;
}

export class Processes {
  private constructor(
    private readonly client: Client,
    private readonly connection: Connection,
  ) {}

  /** Connects on first use. @param addresses `host:port`, or several separated by commas */
  static at(addresses: string): Processes {
    const all = addresses.split(',');
    const [address] = all as [string];
    const channelArgs = all.length > 1 ? channelTo(all) : {};
    const connection = Connection.lazy({ address, channelArgs, connectTimeout: 3_000 });
    return new Processes(new Client({ connection }), connection);
  }

  /** Triggers the schedules now. @throws Error when Temporal is down */
  async triggerSchedules(): Promise<void> {
    await this.bounded(async () => {
      for (const { id } of SCHEDULES) await this.client.schedule.getHandle(id).trigger();
    });
  }

  /** Lists the workflows of the server, including those of schedules. @throws Error when Temporal is down */
  async list(query = ''): Promise<ProcessSeen[]> {
    const seen: ProcessSeen[] = [];
    await this.bounded(async () => {
      for await (const { workflowId, type, status } of this.client.workflow.list({ query }))
        seen.push({ workflowId, type, status: status.name });
    }, 60_000);
    return seen;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private bounded<T>(work: () => Promise<T>, ms = 5_000): Promise<T> {
    return this.client.withDeadline(Date.now() + ms, work);
  }
}
