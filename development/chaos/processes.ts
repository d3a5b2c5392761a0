/** The run's own Temporal server, asked from outside. */
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

  /** Connects when first used. @param addresses `host:port`, or several with commas between */
  static at(addresses: string): Processes {
    const all = addresses.split(',');
    const [address] = all as [string];
    const channelArgs = all.length > 1 ? channelTo(all) : {};
    const connection = Connection.lazy({ address, channelArgs, connectTimeout: 3_000 });
    return new Processes(new Client({ connection }), connection);
  }

  /** Runs the overdue schedule now, whatever the hour. @throws Error when Temporal is away */
  async triggerSchedules(): Promise<void> {
    await this.bounded(async () => {
      for (const { id } of SCHEDULES) await this.client.schedule.getHandle(id).trigger();
    });
  }

  /** Every process that the server knows, those of Schedules included. @throws Error when Temporal is away */
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
